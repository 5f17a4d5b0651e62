! SPDX-License-Identifier: BSD-3-Clause
! Further processes, which are this program too, are started in four ways by one of the interfaces of
! interface.inc, by the command that CHILD names: with arguments and outcomes or with the constants
! that stand for none, by one command or by two. Both sides check what the other one sends, and the
! children what they were given. PERSISTENT as in calls.F90. On two ranks. Says "right" at its end;
! wrong data ends it with status 3.
#include "interface.inc"
program spawning
  USE_MPI
  implicit none
#ifdef INCLUDES
  include 'mpif.h'
#endif
  integer, parameter :: parents = 2, children = 3, ways = 4, length = 16
  integer, parameter :: one = 1, one_plain = 2, several = 3, several_plain = 4
  HANDLE(Comm) :: other
  integer :: rank, ranks, ierr, way, i
  logical :: is_child
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call MPI_Comm_get_parent(other, ierr)
  is_child = other /= MPI_COMM_NULL
  if (ranks /= merge(children, parents, is_child)) error stop 2
  if (is_child) then
    call MPI_Bcast(way, 1, MPI_INTEGER, 0, other, ierr)
    call check_arguments
    call talk(other, 1)
  else
    do i = 1, ways
      way = i
      call start(other)
      call MPI_Bcast(way, 1, MPI_INTEGER, merge(MPI_ROOT, MPI_PROC_NULL, rank == 0), other, ierr)
      call talk(other, 0)
    end do
  end if
  call MPI_Finalize(ierr)
  if (rank == 0 .and. .not. is_child) print '(a)', 'right'
contains
  subroutine expect(values, wanted, what)
    integer, intent(in) :: values(:), wanted(:)
    character(*), intent(in) :: what
    if (size(values) == size(wanted)) then
      if (all(values == wanted)) return
    end if
    print *, 'WRONG: ', what, ', way ', way, ', child: ', is_child, ', rank ', rank, ': ', values, ' instead of ', wanted
    error stop 3
  end subroutine

  subroutine start(made)
    HANDLE(Comm), intent(out) :: made
    HANDLE(Info) :: infos(2)
    character(1024) :: command, commands(2)
    character(length) :: arguments(3), of_each(2, 3)
    integer :: codes(children)
    call get_environment_variable('CHILD', command)
    commands = command
    infos = MPI_INFO_NULL
    codes = -1
    arguments = [character(length) :: 'first', 'two words', ' ']
    of_each(1, :) = [character(length) :: 'alone', ' ', ' ']
    of_each(2, :) = [character(length) :: 'one of two', '2', ' ']
    select case (way)
    case (one)
      call MPI_Comm_spawn(command, arguments, children, MPI_INFO_NULL, 1, MPI_COMM_WORLD, made, codes, ierr)
    case (one_plain)
      call MPI_Comm_spawn(command, MPI_ARGV_NULL, children, MPI_INFO_NULL, 0, MPI_COMM_WORLD, made, &
        MPI_ERRCODES_IGNORE, ierr)
    case (several)
      call MPI_Comm_spawn_multiple(2, commands, of_each, [1, children - 1], infos, 1, MPI_COMM_WORLD, made, codes, ierr)
    case (several_plain)
      call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, [1, children - 1], infos, 0, MPI_COMM_WORLD, made, &
        MPI_ERRCODES_IGNORE, ierr)
    end select
    if (way == one .or. way == several) call expect(codes, spread(MPI_SUCCESS, 1, children), 'outcomes')
  end subroutine

  subroutine expect_arguments(wanted)
    character(length), intent(in) :: wanted(:)
    character(length) :: given
    integer :: i
    call expect([command_argument_count()], [size(wanted)], 'number of arguments')
    do i = 1, size(wanted)
      call get_command_argument(i, given)
      call expect([merge(1, 0, given == wanted(i))], [1], 'argument ' // achar(48 + i) // ', ' // given)
    end do
  end subroutine

  subroutine check_arguments
    integer(MPI_ADDRESS_KIND) :: command
    logical :: flag, second
    second = rank > 0 .and. (way == several .or. way == several_plain)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, command, flag, ierr)
    call expect([merge(int(command), -1, flag)], [merge(1, 0, second)], 'number of the command')
    if (way == one) then
      call expect_arguments([character(length) :: 'first', 'two words'])
    else if (way == several .and. second) then
      call expect_arguments([character(length) :: 'one of two', '2'])
    else if (way == several) then
      call expect_arguments([character(length) :: 'alone'])
    else
      call expect_arguments([character(length) ::])
    end if
  end subroutine

  ! Of parents, whose side is 0, and children: each has 10 * side + its rank.
  subroutine talk(inter, side)
    HANDLE(Comm), intent(inout) :: inter
    integer, intent(in) :: side
    HANDLE(Comm) :: both, ring
    HANDLE(Request) :: request
    integer, asynchronous :: mine, total
    integer, asynchronous :: theirs(children)
    integer :: others, wanted(children), i, place
    call MPI_Comm_remote_size(inter, others, ierr)
    call expect([others], [merge(parents, children, side == 1)], 'size of the other group')
    mine = 10 * side + rank
    wanted = -1
    wanted(:others) = [(10 * (1 - side) + i, i = 0, others - 1)]
    theirs = -1
    call MPI_Allgather(mine, 1, MPI_INTEGER, theirs, 1, MPI_INTEGER, inter, ierr)
    call expect(theirs, wanted, 'allgather')
    theirs = -1
    call MPI_Iallgather(mine, 1, MPI_INTEGER, theirs, 1, MPI_INTEGER, inter, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(theirs, wanted, 'iallgather')
    total = -1
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, inter, ierr)
    call expect([total], [sum(wanted(:others))], 'allreduce')
#ifdef PERSISTENT
    call MPI_Allreduce_init(mine, total, 1, MPI_INTEGER, MPI_MAX, inter, MPI_INFO_NULL, request, ierr)
    do i = 1, 3
      mine = 10 * side + rank + i
      total = -1
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call expect([total], [wanted(others) + i], 'allreduce that is started again')
    end do
    call MPI_Request_free(request, ierr)
#endif
    call MPI_Barrier(inter, ierr)
    call MPI_Intercomm_merge(inter, side == 1, both, ierr)
    call MPI_Comm_rank(both, place, ierr)
    call expect([place], [side * parents + rank], 'place among both')
    call MPI_Cart_create(both, 1, [parents + children], [.true.], .true., ring, ierr)
    call MPI_Allreduce(place, total, 1, MPI_INTEGER, MPI_SUM, ring, ierr)
    call expect([total], [(parents + children) * (parents + children - 1) / 2], 'sum over a ring of both')
    call MPI_Comm_free(ring, ierr)
    call MPI_Comm_free(both, ierr)
    call MPI_Comm_disconnect(inter, ierr)
    call expect([merge(1, 0, inter == MPI_COMM_NULL)], [1], 'no communicator when disconnected')
  end subroutine
end program
