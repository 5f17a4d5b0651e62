! SPDX-License-Identifier: BSD-3-Clause
! What Fortran says otherwise than C, by one of the interfaces of interface.inc: indices from 1,
! statuses, logicals, addresses with a meaning, operations and attribute functions of the program
! itself, sections of arrays; with requests of Caucus and of MPI beside each other. PERSISTENT where MPI has persistent
! collectives, SECTIONS where it sees what sections of arrays leave out; INDICES_FROM_0 and
! INDEX_OF_NONE where its library for Fortran has faults in these. On four ranks. Says "right" at its end; wrong data ends it with status 3.
#include "interface.inc"
module callbacks
  integer :: copies = 0, deletions = 0
contains
  ! One function after another: (a, b) stands for x -> a x + b, which does not commute.
#ifdef F08
  subroutine compose(first, second, count, datatype)
    use, intrinsic :: iso_c_binding
    use mpi_f08
    type(c_ptr), value :: first, second
    integer :: count
    type(MPI_Datatype) :: datatype
    integer, pointer :: before(:, :), after(:, :)
    integer :: i
    call c_f_pointer(first, before, [2, count])
    call c_f_pointer(second, after, [2, count])
#else
  subroutine compose(before, after, count, datatype)
    integer :: count, datatype
    integer :: before(2, count), after(2, count), i
#endif
    do i = 1, count
      after(:, i) = [after(1, i) * before(1, i), after(1, i) * before(2, i) + after(2, i)]
    end do
  end subroutine

  ! The copy has more, by what came with the key.
  subroutine copy_more(comm, key, extra, given, made, flag, ierror)
    USE_MPI
#ifdef INCLUDES
    include 'mpif.h'
#endif
    HANDLE(Comm) :: comm
    integer :: key, ierror
    integer(MPI_ADDRESS_KIND) :: extra, given, made
    logical :: flag
    copies = copies + 1
    made = given + extra
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine count_deletion(comm, key, value, extra, ierror)
    USE_MPI
#ifdef INCLUDES
    include 'mpif.h'
#endif
    HANDLE(Comm) :: comm
    integer :: key, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    deletions = deletions + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program calls
  use callbacks
  USE_MPI
  implicit none
#ifdef INCLUDES
  include 'mpif.h'
#endif
  integer, parameter :: n = 4, ways = 8
  integer :: rank, ranks, level, ierr, way
  call MPI_Init_thread(MPI_THREAD_SINGLE, level, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  if (ranks /= n) error stop 2
  do way = 1, ways
    call mixed(way)
  end do
#ifdef PERSISTENT
  call started_together
#endif
  call grids
  call graphs
  call members
  call between
  call composed
  call freed_early
  call at_the_bottom
  call while_active
  call attributes
  call attributes_by_functions
  call errors
#ifdef F08
  call sections
  call MPI_Barrier(MPI_COMM_WORLD)
#endif
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'right'
contains
  subroutine expect(values, wanted, what)
    integer, intent(in) :: values(:), wanted(:)
    character(*), intent(in) :: what
    if (size(values) == size(wanted)) then
      if (all(values == wanted)) return
    end if
    print *, 'WRONG: ', what, ' on rank ', rank, ': ', values, ' instead of ', wanted
    error stop 3
  end subroutine

  subroutine expect_true(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    call expect([merge(1, 0, condition)], [1], what)
  end subroutine

  ! The message of MPI itself comes from the left, with tag 5 and two integers.
  subroutine expect_message(status, what)
    A_STATUS(status)
    character(*), intent(in) :: what
    integer :: length
    call MPI_Get_count(status, MPI_INTEGER, length, ierr)
    call expect([OF(status, MPI_SOURCE), OF(status, MPI_TAG), length], [modulo(rank - 1, n), 5, 2], what)
  end subroutine

  ! Two of Caucus, the first and the third, and two of MPI, of which the second receives.
  subroutine mixed(way)
    integer, intent(in) :: way
    HANDLE(Request) :: requests(4)
    A_STATUS(status)
    STATUSES(statuses, 4)
    integer, asynchronous :: given(2), total(2), came(2), told(2)
    integer :: indices(4), seen(4), i, index, many
    logical :: flag
    given = [rank, 1]
    told = merge([11, 12], [-1, -1], rank == 3)
    total = -1
    came = -1
    seen = 0
    call MPI_Iallreduce(given, total, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Irecv(came, 2, MPI_INTEGER, modulo(rank - 1, n), 5, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Ibcast(told, 2, MPI_INTEGER, 3, MPI_COMM_WORLD, requests(3), ierr)
    call MPI_Isend(given, 2, MPI_INTEGER, modulo(rank + 1, n), 5, MPI_COMM_WORLD, requests(4), ierr)
    do while (sum(seen) < 4)
      many = 0
      flag = .true.
      if (way == 1) call MPI_Waitany(4, requests, index, status, ierr)
      if (way == 2) call MPI_Testany(4, requests, index, flag, status, ierr)
      if (way == 3) call MPI_Waitsome(4, requests, many, indices, statuses, ierr)
      if (way == 4) call MPI_Testsome(4, requests, many, indices, statuses, ierr)
      if (way == 5) call MPI_Waitall(4, requests, statuses, ierr)
      if (way == 6) call MPI_Testall(4, requests, flag, statuses, ierr)
#ifdef INDICES_FROM_0
      index = index + 1
      indices = indices + 1
#endif
      if (way <= 2 .and. flag) then
        if (index == 2) call expect_message(status, 'status of any')
        many = 1
        indices(1) = index
      else if (way == 3 .or. way == 4) then
        do i = 1, many
          if (indices(i) == 2) call expect_message(ONE_OF(statuses, i), 'status of some')
        end do
      else if ((way == 5 .or. way == 6) .and. flag) then
        call expect_message(ONE_OF(statuses, 2), 'status of all')
        many = 4
        indices = [1, 2, 3, 4]
      else if (way == 7) then
        flag = .false.
        do i = 4, 1, -1
          do while (.not. flag)
            call MPI_Request_get_status(requests(i), flag, status, ierr)
          end do
          if (i == 2) call expect_message(status, 'status of one that stays')
          call MPI_Test(requests(i), flag, MPI_STATUS_IGNORE, ierr)
          call expect_true(flag, 'test of what is complete')
          flag = .false.
        end do
        many = 4
        indices = [1, 2, 3, 4]
      else if (way == 8) then
        do i = 4, 1, -1
          call MPI_Wait(requests(i), status, ierr)
          if (i == 2) call expect_message(status, 'status of one')
        end do
        many = 4
        indices = [1, 2, 3, 4]
      end if
      do i = 1, many
        call expect_true(indices(i) >= 1 .and. indices(i) <= 4, 'index, way ' // achar(48 + way))
        call expect_true(requests(indices(i)) == MPI_REQUEST_NULL, 'what the index names, way ' // achar(48 + way))
        seen(indices(i)) = seen(indices(i)) + 1
      end do
    end do
    call expect(seen, [1, 1, 1, 1], 'each once')
    call expect([total, told, came], [6, 4, 11, 12, modulo(rank - 1, n), 1], 'data of mixed requests')
    call MPI_Waitany(4, requests, index, MPI_STATUS_IGNORE, ierr)
#ifndef INDEX_OF_NONE
    call expect([index], [MPI_UNDEFINED], 'index of none')
#endif
  end subroutine

#ifdef PERSISTENT
  subroutine started_together
    HANDLE(Request) :: requests(3)
    integer, asynchronous :: given(2), total(2), came(2)
    integer :: i
    call MPI_Recv_init(came, 2, MPI_INTEGER, modulo(rank - 1, n), 5, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Allreduce_init(given, total, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), ierr)
    call MPI_Send_init(given, 2, MPI_INTEGER, modulo(rank + 1, n), 5, MPI_COMM_WORLD, requests(3), ierr)
    do i = 1, 3
      given = [rank, i]
      call MPI_Startall(3, requests, ierr)
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierr)
      call expect([total, came], [6, 4 * i, modulo(rank - 1, n), i], 'started together')
    end do
    do i = 1, 3
      call MPI_Request_free(requests(i), ierr)
      call expect_true(requests(i) == MPI_REQUEST_NULL, 'freed request')
    end do
  end subroutine
#endif

  subroutine grids
    HANDLE(Comm) :: grid
    integer :: dims(2), coords(2), place, where, found, all_places
    logical :: periods(2), given(2)
    dims = 0
    call MPI_Dims_create(n, 2, dims, ierr)
    call expect([product(dims)], [n], 'product of dimensions')
    given = [.true., .false.]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], given, .true., grid, ierr)
    call MPI_Cart_get(grid, 2, dims, periods, coords, ierr)
    call expect(dims, [2, 2], 'dimensions of a grid')
    call expect_true(all(periods .eqv. given), 'periods of a grid')
    call MPI_Comm_rank(grid, place, ierr)
    call MPI_Cart_rank(grid, coords, found, ierr)
    call expect([found], [place], 'place in a grid')
    call MPI_Cart_map(MPI_COMM_WORLD, 2, [2, 2], given, where, ierr)
    call MPI_Allreduce(2**where, all_places, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call expect([all_places], [15], 'places of a map')
    call MPI_Comm_free(grid, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [3], [.false.], .true., grid, ierr)
    call MPI_Allreduce(merge(0, 1, grid == MPI_COMM_NULL), found, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call expect([found], [3], 'ranks of a smaller grid')
    if (grid /= MPI_COMM_NULL) call MPI_Comm_free(grid, ierr)
  end subroutine

  ! A ring, made in three ways: who has place i then has the neighbours that were given for i.
  subroutine graphs
    HANDLE(Comm) :: graph
    integer :: around(2), found(2), weights(2), targets(2), sent(2), place, many, out, i
    logical :: weighted
    around = modulo([rank - 1, rank + 1], n)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, 10 * rank + [1, 2], 2, around, 10 * rank + [3, 4], &
      MPI_INFO_NULL, .true., graph, ierr)
    call MPI_Comm_rank(graph, place, ierr)
    call MPI_Dist_graph_neighbors_count(graph, many, out, weighted, ierr)
    call expect([many, out, merge(1, 0, weighted)], [2, 2, 1], 'numbers of neighbours')
    call MPI_Dist_graph_neighbors(graph, 2, found, weights, 2, targets, sent, ierr)
    call expect(found, modulo([place - 1, place + 1], n), 'neighbours')
    call expect([weights, sent], 10 * place + [1, 2, 3, 4], 'weights of neighbours')
    call hear(graph, found)
    call MPI_Graph_create(MPI_COMM_WORLD, n, [(2 * i, i = 1, n)], [(modulo(i - 1, n), modulo(i + 1, n), i = 0, n - 1)], &
      .true., graph, ierr)
    call MPI_Comm_rank(graph, place, ierr)
    call MPI_Graph_neighbors(graph, place, 2, found, ierr)
    call expect(found, modulo([place - 1, place + 1], n), 'neighbours in a graph')
    call hear(graph, found)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 2, around, [1, 1], [rank, rank], MPI_UNWEIGHTED, MPI_INFO_NULL, .true., &
      graph, ierr)
    call MPI_Comm_rank(graph, place, ierr)
    call MPI_Dist_graph_neighbors_count(graph, many, out, weighted, ierr)
    call expect([many, out, merge(1, 0, weighted)], [2, 2, 0], 'numbers of neighbours by edges')
    call MPI_Dist_graph_neighbors(graph, 2, found, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED, ierr)
    call expect([minval(found), maxval(found)], [minval(modulo([place - 1, place + 1], n)), &
      maxval(modulo([place - 1, place + 1], n))], 'neighbours by edges')
    call hear(graph, found)
  end subroutine

  subroutine hear(graph, neighbors)
    HANDLE(Comm), intent(inout) :: graph
    integer, intent(in) :: neighbors(2)
    integer :: place, heard(2)
    call MPI_Comm_rank(graph, place, ierr)
    heard = -1
    call MPI_Neighbor_allgather(place, 1, MPI_INTEGER, heard, 1, MPI_INTEGER, graph, ierr)
    call expect(heard, neighbors, 'what neighbours say')
    call MPI_Comm_free(graph, ierr)
  end subroutine

  subroutine members
    HANDLE(Group) :: world, even
    HANDLE(Comm) :: made
    integer :: total
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_incl(world, 2, [0, 2], even, ierr)
    if (mod(rank, 2) == 0) then
      call MPI_Comm_create_group(MPI_COMM_WORLD, even, 7, made, ierr)
      call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, made, ierr)
      call expect([total], [2], 'sum of members')
      call MPI_Comm_free(made, ierr)
    end if
    call MPI_Group_free(even, ierr)
    call MPI_Group_free(world, ierr)
  end subroutine

  subroutine between
    HANDLE(Comm) :: half, inter
    HANDLE(Request) :: request
    integer, asynchronous :: peers(2), total(1)
    integer :: side, root
    side = mod(rank, 2)
    call MPI_Comm_split(MPI_COMM_WORLD, side, rank, half, ierr)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 0, inter, ierr)
    peers = -1
    call MPI_Allgather(rank, 1, MPI_INTEGER, peers, 1, MPI_INTEGER, inter, ierr)
    call expect(peers, [1 - side, 3 - side], 'allgather between groups')
    peers = -1
    call MPI_Iallgather(rank, 1, MPI_INTEGER, peers, 1, MPI_INTEGER, inter, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(peers, [1 - side, 3 - side], 'iallgather between groups')
#ifdef PERSISTENT
    peers = -1
    call MPI_Allgather_init(rank, 1, MPI_INTEGER, peers, 1, MPI_INTEGER, inter, MPI_INFO_NULL, request, ierr)
    call MPI_Start(request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(peers, [1 - side, 3 - side], 'allgather_init between groups')
    call MPI_Request_free(request, ierr)
#endif
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, inter, ierr)
    call expect(total, [4 - 2 * side], 'allreduce between groups')
    total = rank
    root = merge(0, merge(MPI_ROOT, MPI_PROC_NULL, rank == 0), side == 1)
    call MPI_Bcast(total, 1, MPI_INTEGER, root, inter, ierr)
    call expect(total, [merge(0, rank, side == 1)], 'bcast between groups')
    call MPI_Comm_free(inter, ierr)
    call MPI_Comm_free(half, ierr)
  end subroutine

  subroutine composed
    HANDLE(Op) :: op
    HANDLE(Datatype) :: pair
    HANDLE(Request) :: request
    integer, asynchronous :: mine(2), whole(2)
    integer :: wanted(2), i
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
    call MPI_Type_commit(pair, ierr)
    call MPI_Op_create(compose, .false., op, ierr)
    mine = [rank + 2, rank + 1]
    wanted = [2, 1]
    do i = 1, n - 1
      wanted = [(i + 2) * wanted(1), (i + 2) * wanted(2) + i + 1]
    end do
    whole = -1
    call MPI_Allreduce(mine, whole, 1, pair, op, MPI_COMM_WORLD, ierr)
    call expect(whole, wanted, 'an operation of the program')
    whole = mine
    call MPI_Iallreduce(MPI_IN_PLACE, whole, 1, pair, op, MPI_COMM_WORLD, request, ierr)
    call MPI_Op_free(op, ierr)
    call MPI_Type_free(pair, ierr)
    call expect_true(op == MPI_OP_NULL, 'freed operation')
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(whole, wanted, 'an operation that was freed early')
  end subroutine

  ! Of every second integer; and arrays that are changed when the call has returned.
  subroutine freed_early
    HANDLE(Datatype) :: every_second, types(n)
    HANDLE(Request) :: request
    integer, asynchronous :: x(4 * n), y(4 * n)
    integer :: counts(n), places(n), i
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, every_second, ierr)
    call MPI_Type_commit(every_second, ierr)
    x = [(100 * rank + i, i = 1, 4 * n)]
    y = -1
    call MPI_Iallgather(x, 1, every_second, y, 2, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
    call MPI_Type_free(every_second, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(y(1:2 * n), [(100 * i + 1, 100 * i + 3, i = 0, n - 1)], 'a type that was freed early')
    call MPI_Type_contiguous(2, MPI_INTEGER, every_second, ierr)
    call MPI_Type_commit(every_second, ierr)
    types = every_second
    counts = 1
    places = [(16 * i, i = 0, n - 1)]
    y = -1
    call MPI_Ialltoallw(x, counts, places, types, y, counts, places, types, MPI_COMM_WORLD, request, ierr)
    call MPI_Type_free(every_second, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(y, [(100 * i + 4 * rank + 1, 100 * i + 4 * rank + 2, -1, -1, i = 0, n - 1)], 'types that were freed early')
  end subroutine

  subroutine at_the_bottom
    HANDLE(Datatype) :: absolute
    HANDLE(Request) :: request
    integer(MPI_ADDRESS_KIND) :: address
    integer, asynchronous, target, save :: x(2)
    call MPI_Get_address(x, address, ierr)
    call MPI_Type_create_hindexed(1, [2], [address], MPI_INTEGER, absolute, ierr)
    call MPI_Type_commit(absolute, ierr)
    x = merge([5, 6], [-1, -1], rank == 2)
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 2, MPI_COMM_WORLD, ierr)
    call MPI_Get_address(x, address, ierr)
    call expect(x, [5, 6], 'bcast at the bottom')
    x = merge([7, 8], [-1, -1], rank == 2)
    call MPI_Ibcast(MPI_BOTTOM, 1, absolute, 2, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Get_address(x, address, ierr)
    call expect(x, [7, 8], 'ibcast at the bottom')
    call MPI_Type_free(absolute, ierr)
  end subroutine

  ! What blocks while a collective is active that others begin later.
  subroutine while_active
    HANDLE(Request) :: request
    A_STATUS(status)
    integer, asynchronous :: given(2), total(2)
    integer :: came(2), left, right
    logical :: flag
    left = modulo(rank - 1, n)
    right = modulo(rank + 1, n)
    given = [rank, 1]
    if (rank /= 0) call MPI_Iallreduce(given, total, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    call MPI_Sendrecv(given, 2, MPI_INTEGER, right, 5, came, 2, MPI_INTEGER, left, 5, MPI_COMM_WORLD, status, ierr)
    call expect_message(status, 'status of sendrecv')
    call expect(came, [left, 1], 'sendrecv')
    call MPI_Sendrecv_replace(came, 2, MPI_INTEGER, right, 5, left, 5, MPI_COMM_WORLD, status, ierr)
    call expect_message(status, 'status of sendrecv_replace')
    call expect(came, [modulo(rank - 2, n), 1], 'sendrecv_replace')
    if (mod(rank, 2) == 0) call MPI_Send(given, 2, MPI_INTEGER, right, 5, MPI_COMM_WORLD, ierr)
    call MPI_Probe(left, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
    call expect_message(status, 'status of probe')
    call MPI_Iprobe(left, 5, MPI_COMM_WORLD, flag, status, ierr)
    call expect_true(flag, 'iprobe')
    call expect_message(status, 'status of iprobe')
    call MPI_Recv(came, 2, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, status, ierr)
    call expect_message(status, 'status of recv')
    if (mod(rank, 2) == 1) call MPI_Ssend(given, 2, MPI_INTEGER, right, 5, MPI_COMM_WORLD, ierr)
    if (rank == 0) call MPI_Iallreduce(given, total, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(total, [6, 4], 'a collective beside messages')
  end subroutine

  subroutine attributes
    HANDLE(Comm) :: copy, another
    HANDLE(Request) :: request
    integer(MPI_ADDRESS_KIND) :: value
    integer :: key
    logical :: flag
    value = 0
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, value, ierr)
    call MPI_Comm_dup(MPI_COMM_SELF, copy, ierr)
    value = 4711
    call MPI_Comm_set_attr(copy, key, value, ierr)
    call MPI_Comm_dup(copy, another, ierr)
    value = 0
    call MPI_Comm_get_attr(another, key, value, flag, ierr)
    call expect_true(flag .and. value == 4711, 'attribute of a duplicate')
    call MPI_Comm_free(another, ierr)
    call MPI_Comm_idup(copy, another, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_free(another, ierr)
    call MPI_Comm_free(copy, ierr)
    call MPI_Comm_free_keyval(key, ierr)
  end subroutine

  ! Which are called as often with Caucus, which attaches the communicators, as without.
  subroutine attributes_by_functions
    HANDLE(Comm) :: first, second
    integer(MPI_ADDRESS_KIND) :: value
    integer(MPI_ADDRESS_KIND), save :: more = 40 ! stays: MPICH 4.0.2 looks here when it copies
    integer :: key, total
    logical :: flag
    call MPI_Comm_create_keyval(copy_more, count_deletion, key, more, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, first, ierr)
    value = 2
    call MPI_Comm_set_attr(first, key, value, ierr)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, first, ierr)
    call MPI_Comm_dup(first, second, ierr)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, second, ierr)
    value = 0
    call MPI_Comm_get_attr(second, key, value, flag, ierr)
    call expect_true(flag .and. value == 42, 'attribute that a function has copied')
    call expect([copies, deletions], [1, 0], 'copies and deletions')
    call MPI_Comm_free(second, ierr)
    call MPI_Comm_free(first, ierr)
    call expect([copies, deletions], [1, 2], 'copies and deletions when all is freed')
    call MPI_Comm_free_keyval(key, ierr)
  end subroutine

  subroutine errors
    HANDLE(Comm) :: copy
    integer :: class, x
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN, ierr)
    x = rank
    call MPI_Bcast(x, 1, MPI_INTEGER, n + 5, copy, ierr)
    call MPI_Error_class(ierr, class, ierr)
    call expect([class], [MPI_ERR_ROOT], 'class of an error')
    call MPI_Comm_free(copy, ierr)
  end subroutine

#ifdef F08
  ! Where MPI sees what a section leaves out, it is left out; else the compiler hands over a copy, which a call that returns
  ! before it is complete must not be given.
  subroutine sections
    type(MPI_Request) :: request
    integer, asynchronous :: x(6), y(4 * n)
    integer :: i
    x = [(10 * rank + i, i = 1, 6)]
    y = -1
    call MPI_Allgather(x(1:3:2), 2, MPI_INTEGER, y, 2, MPI_INTEGER, MPI_COMM_WORLD)
    call expect(y(1:2 * n), [(10 * i + 1, 10 * i + 3, i = 0, n - 1)], 'a section')
    y = merge(7, -1, rank == 3)
    call MPI_Bcast(y(2:10:4), 3, MPI_INTEGER, 3, MPI_COMM_WORLD)
    if (rank /= 3) call expect(y(1:11), [-1, 7, -1, -1, -1, 7, -1, -1, -1, 7, -1], 'a section that receives')
#ifdef SECTIONS
    y = -1
    call MPI_Iallgather(x(2:4:2), 2, MPI_INTEGER, y, 2, MPI_INTEGER, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(y(1:2 * n), [(10 * i + 2, 10 * i + 4, i = 0, n - 1)], 'a section, nonblocking')
    y = merge(8, -1, rank == 3)
    call MPI_Ibcast(y(2:10:4), 3, MPI_INTEGER, 3, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (rank /= 3) call expect(y(1:11), [-1, 8, -1, -1, -1, 8, -1, -1, -1, 8, -1], 'a section that receives, nonblocking')
#endif
  end subroutine
#endif
end program
