! SPDX-License-Identifier: BSD-3-Clause
! A program by "use mpi" or, with INCLUDES, by mpif.h, that has a module by mpi_f08 for what it wants
! of Caucus: handles come as integers and go back as such. On four ranks.
module by_mpi_f08
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use caucus
  implicit none
contains
  subroutine make_grid(old, made)
    integer, intent(in) :: old
    integer, intent(out) :: made
    type(MPI_Comm) :: grid
    call caucus_cart_create(MPI_Comm(old), 2, [2, 2], [.true., .false.], .true., grid)
    made = grid%MPI_VAL
  end subroutine

  ! Over a communicator, of one group or between two.
  function sum_over(comm, own) result(total)
    integer, intent(in) :: comm, own
    integer, asynchronous :: total
    type(caucus_request) :: request
    call caucus_iallreduce(own, total, 1, MPI_INTEGER, MPI_SUM, MPI_Comm(comm), request)
    call caucus_wait(request, MPI_STATUS_IGNORE)
  end function

  function sum_of_two(comm, members, own) result(total)
    integer, intent(in) :: comm, members(2), own
    integer :: total
    type(caucus_group) :: group
    call caucus_comm_attach(MPI_Comm(comm))
    total = -1
    if (any(members == own)) then
      call caucus_group_create(MPI_Comm(comm), members, 2, 0, group)
      call caucus_group_allreduce(own, total, 1, MPI_INTEGER, MPI_SUM, group)
      call caucus_group_free(group)
    end if
  end function

  subroutine hear(context, delivery) bind(C)
    type(c_ptr), value :: context
    type(caucus_delivery), intent(in) :: delivery
    integer, pointer :: heard, number
    call c_f_pointer(context, heard)
    call c_f_pointer(delivery%bytes, number)
    heard = heard + number
  end subroutine

  function sum_by_casts(comm, own) result(heard)
    integer, intent(in) :: comm, own
    integer :: heard
    integer, target, save :: total
    type(caucus_channel) :: channel
    type(caucus_channel_options) :: options
    total = 0
    options%deliver = c_funloc(hear)
    options%context = c_loc(total)
    call caucus_channel_open(MPI_Comm(comm), options, channel)
    call caucus_cast(channel, own, storage_size(own, MPI_COUNT_KIND) / 8)
    call caucus_channel_quiesce(channel)
    call caucus_channel_close(channel)
    heard = total
  end function
end module

program older
  use by_mpi_f08, only: make_grid, sum_over, sum_of_two, sum_by_casts
#ifdef INCLUDES
  implicit none
  include 'mpif.h'
#else
  use mpi
  implicit none
#endif
  integer :: rank, ranks, ierr, grid, half, inter, dims(2), coords(2), side
  logical :: periods(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  if (ranks /= 4) error stop 2
  call make_grid(MPI_COMM_WORLD, grid)
  call MPI_Cart_get(grid, 2, dims, periods, coords, ierr)
  call expect(all(dims == 2) .and. periods(1) .and. .not. periods(2), 'the grid')
  call expect(sum_over(grid, coords(1) + 10 * coords(2)) == 22, 'a sum over the grid')
  side = mod(rank, 2)
  call MPI_Comm_split(MPI_COMM_WORLD, side, rank, half, ierr)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, inter, ierr)
  call expect(sum_over(inter, rank) == merge(4, 2, side == 0), 'a sum between two groups')
  call expect(sum_of_two(MPI_COMM_WORLD, [1, 3], rank) == merge(4, -1, side == 1), 'a sum of members')
  call expect(sum_by_casts(MPI_COMM_WORLD, rank + 1) == 10 - rank - 1, 'what was cast')
  call MPI_Comm_free(inter, ierr)
  call MPI_Comm_free(half, ierr)
  call MPI_Comm_free(grid, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'right'
contains
  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'WRONG: ', what, ' on rank ', rank
    error stop 3
  end subroutine
end program
