! SPDX-License-Identifier: BSD-3-Clause
! Light groups of the module caucus: made, split, merged, messages, balance and pool; and all that
! starts, tests and waits for requests. On any number of ranks up to four.
module tasks
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use caucus
  implicit none
  integer(c_int), target :: done(0:9) = 0
contains
  ! The ranks of the group add up the task's number; task 7 fails.
  function body(context, pool, group, task) bind(C) result(failed)
    type(c_ptr), value :: context, task
    type(caucus_pool), value :: pool
    type(caucus_group), value :: group
    integer(c_int) :: failed
    integer(c_int), pointer :: number, kept(:)
    integer :: members, total
    type(caucus_pool_counters) :: counters
    call c_f_pointer(task, number)
    call c_f_pointer(context, kept, [size(done)])
    call caucus_group_size(group, members)
    call caucus_group_allreduce(number, total, 1, MPI_INTEGER, MPI_SUM, group)
    call caucus_pool_statistics(pool, counters)
    kept(number + 1) = merge(1, 100, total == members * number)
    failed = merge(1, 0, number == 7)
  end function

  subroutine add(from, into, length, datatype)
    type(c_ptr), value :: from, into
    integer :: length
    type(MPI_Datatype) :: datatype
    real(8), pointer :: a(:), b(:)
    call c_f_pointer(from, a, [length])
    call c_f_pointer(into, b, [length])
    if (datatype /= MPI_DOUBLE_PRECISION) error stop 4
    b = a + b
  end subroutine
end module

program groups
  use mpi_f08
  use caucus
  use tasks
  implicit none
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call caucus_comm_attach(MPI_COMM_WORLD)
  call make()
  call merge_them()
  call to_communicators()
  call send_messages()
  call find_the_living()
  call complete_requests()
  call keep_types_of_fortran()
  call balance_work()
  call run_tasks()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'right'
contains
#include "check.inc"

  ! That the group has these ranks of the world, in this order; frees it.
  subroutine check_group(group, wanted, what)
    type(caucus_group), intent(inout) :: group
    integer, intent(in) :: wanted(:)
    character(*), intent(in) :: what
    integer :: members(8), own, many, ierror
    call expect(group /= CAUCUS_GROUP_NULL .and. .not. group == CAUCUS_GROUP_NULL, what//': is a group')
    call caucus_group_size(group, many, ierror)
    call expect(ierror == MPI_SUCCESS .and. many == size(wanted), what//': size')
    call caucus_group_rank(group, own)
    call caucus_group_members(group, members)
    call expect(all(members(1:many) == wanted) .and. wanted(own + 1) == rank, what//': members')
    call caucus_group_barrier(group)
    call caucus_group_free(group, ierror)
    call expect(ierror == MPI_SUCCESS .and. group == CAUCUS_GROUP_NULL, what//': freed')
  end subroutine

  subroutine make()
    type(caucus_group) :: group, other
    type(caucus_request) :: request
    integer :: i, ierror
    integer :: backwards(ranks), everybody(ranks)
    everybody = [(i, i=0, ranks - 1)]
    backwards = ranks - 1 - everybody
    call caucus_group_create(MPI_COMM_WORLD, backwards, ranks, 1, group, ierror)
    call expect(ierror == MPI_SUCCESS, 'create')
    call check_group(group, backwards, 'create')
    call caucus_group_create_unchecked(MPI_COMM_WORLD, backwards, ranks, 2, group)
    call check_group(group, backwards, 'create_unchecked')
    call caucus_group_create_lazy(MPI_COMM_WORLD, everybody, ranks, group)
    call check_group(group, everybody, 'create_lazy')
    call caucus_group_create_range(MPI_COMM_WORLD, 0, ranks - 1, 1, group)
    call check_group(group, everybody, 'create_range')
    call caucus_group_icreate(MPI_COMM_WORLD, backwards, ranks, 3, group, request)
    call caucus_wait(request, MPI_STATUS_IGNORE)
    call check_group(group, backwards, 'icreate')
    call caucus_group_from_comm(MPI_COMM_WORLD, group)
    call caucus_group_create_within(group, backwards, ranks, 4, other)
    call check_group(other, backwards, 'create_within')
    call caucus_group_split(group, mod(rank, 2), -rank, other)
    call check_group(other, pack(backwards, mod(backwards, 2) == mod(rank, 2)), 'split')
    call caucus_group_isplit(group, mod(rank, 2), rank, other, request)
    call caucus_wait(request, MPI_STATUS_IGNORE)
    call check_group(other, pack(everybody, mod(everybody, 2) == mod(rank, 2)), 'isplit')
    if (ranks > 1) then
      call caucus_group_shrink(group, [0], 1, other)
      if (rank > 0) call check_group(other, everybody(2:), 'shrink')
      if (rank == 0) call expect(other == CAUCUS_GROUP_NULL, 'left by shrink')
    end if
    call caucus_group_free(group)
    call caucus_group_create(MPI_COMM_WORLD, [rank, rank], 2, 5, group, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_group_create: members[0] and members[1]')
    call caucus_group_size(CAUCUS_GROUP_NULL, i, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_group_size: ')
  end subroutine

  ! Each rank alone at first.
  subroutine alone(group)
    type(caucus_group), intent(out) :: group
    call caucus_group_create(MPI_COMM_WORLD, [rank], 1, 0, group)
  end subroutine

  subroutine merge_them()
    type(caucus_group) :: own, merged
    type(caucus_request) :: request
    integer :: i, instead, count, askers(4), ierror
    integer :: everybody(ranks)
    everybody = [(i, i=0, ranks - 1)]
    call alone(own)
    call caucus_group_merge(own, everybody, ranks, 1, merged, ierror)
    call expect(ierror == MPI_SUCCESS, 'merge')
    call check_group(merged, everybody, 'merge')
    call caucus_group_imerge(own, everybody, ranks, 2, merged, request)
    call caucus_wait(request, MPI_STATUS_IGNORE)
    call check_group(merged, everybody, 'imerge')
    if (rank == 0) then
      call caucus_group_grow(own, everybody(2:), ranks - 1, 3, merged)
    else
      call caucus_group_join(MPI_COMM_WORLD, 0, 3, merged)
    end if
    call check_group(merged, everybody, 'grow and join')
    if (rank == 0) then
      call caucus_group_igrow(own, everybody(2:), ranks - 1, 4, merged, request)
    else
      call caucus_group_ijoin(MPI_COMM_WORLD, 0, 4, merged, request)
    end if
    call caucus_wait(request, MPI_STATUS_IGNORE)
    call check_group(merged, everybody, 'igrow and ijoin')
    if (ranks > 1 .and. rank < 2) then
      ! Rank 1 asks twice and is refused once, then taken.
      do i = 1, 3
        if (rank == 1) then
          if (i < 3) call caucus_group_ask(own, 0, 5, merged, instead, ierror)
          if (i == 3) then
            call caucus_group_iask(own, 0, 5, merged, instead, request)
            call caucus_wait(request, MPI_STATUS_IGNORE, ierror)
          end if
          call expect(ierror == MPI_SUCCESS, 'ask')
        else
          count = 0
          do while (count == 0)
            call caucus_group_poll(own, 5, 4, askers, count)
          end do
          call expect(count == 1 .and. askers(1) == 1, 'poll')
          if (i == 1) call caucus_group_refuse(own, 1, 5, ierror)
          if (i == 2) call caucus_group_take(own, askers, 1, 5, merged)
          if (i == 3) then
            call caucus_group_itake(own, askers, 1, 5, merged, request)
            call caucus_wait(request, MPI_STATUS_IGNORE)
          end if
        end if
        if (i == 1 .and. rank == 1) call expect(merged == CAUCUS_GROUP_NULL .and. instead == MPI_PROC_NULL, 'refused')
        if (i > 1) then
          call check_group(merged, [0, 1], 'ask and take')
          call caucus_group_free(own) ! which was taken in
          call alone(own)
        end if
      end do
    end if
    call caucus_group_free(own)
    call MPI_Barrier(MPI_COMM_WORLD)
  end subroutine

  subroutine check_comm(comm, what)
    type(MPI_Comm), intent(inout) :: comm
    character(*), intent(in) :: what
    integer :: many
    call MPI_Comm_size(comm, many)
    call expect(many == ranks, what)
    call MPI_Comm_free(comm)
  end subroutine

  subroutine to_communicators()
    type(caucus_group) :: group, half
    type(MPI_Comm) :: comm, inter
    type(MPI_Comm), asynchronous :: late
    type(caucus_request) :: request, another
    integer :: many, ierror
    logical :: flag
    call caucus_group_from_comm(MPI_COMM_WORLD, group)
    call caucus_group_to_comm(group, comm, ierror)
    call expect(ierror == MPI_SUCCESS, 'to_comm')
    call check_comm(comm, 'to_comm')
    call caucus_group_ito_comm(group, late, request)
    call caucus_group_ibarrier(group, another)
    call caucus_wait(another, MPI_STATUS_IGNORE)
    flag = .false.
    do while (.not. flag)
      call caucus_test(request, flag, MPI_STATUS_IGNORE)
    end do
    call check_comm(late, 'ito_comm')
    if (ranks > 1) then
      call caucus_group_split(group, merge(0, 1, rank == 0), rank, half)
      call caucus_intercomm_create_group(half, 0, merge(1, 0, rank == 0), 7, inter, ierror)
      call expect(ierror == MPI_SUCCESS, 'intercomm_create_group')
      call MPI_Comm_remote_size(inter, many)
      call expect(many == merge(ranks - 1, 1, rank == 0), 'intercommunicator')
      call talk_between(inter)
      call MPI_Comm_free(inter)
      call caucus_group_free(half)
    end if
    call caucus_group_free(group)
  end subroutine

  ! Rank 0 alone in one group, all others in the other.
  subroutine talk_between(inter)
    type(MPI_Comm), intent(in) :: inter
    integer :: number, total, types(1), root
    integer, allocatable :: counts(:), places(:), got(:)
    type(MPI_Datatype), allocatable :: kinds(:)
    types = 0
    root = 0
    if (rank == 0) root = MPI_ROOT
    number = merge(42, -1, rank == 0)
    call caucus_bcast(number, 1, MPI_INTEGER, root, inter)
    call expect(number == 42, 'bcast between groups')
    call caucus_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, inter)
    call expect(total == merge(ranks * (ranks - 1) / 2, 0, rank == 0), 'allreduce between groups')
    number = merge(ranks - 1, 1, rank == 0)
    allocate (counts(number), places(number), kinds(number), got(number))
    counts = 1
    places = [(4 * total, total=0, number - 1)]
    kinds = MPI_INTEGER
    got = -1
    call caucus_alltoallw([(10 * rank, total=1, number)], counts, places, kinds, got, counts, places, kinds, inter)
    if (rank == 0) call expect(all(got == [(10 * total, total=1, number)]), 'alltoallw between groups')
    if (rank > 0) call expect(got(1) == 0, 'alltoallw between groups')
  end subroutine

  subroutine send_messages()
    type(caucus_group) :: group
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status
    integer :: matrix(3, 4), got(2), left, right, i, ierror
    integer, asynchronous :: late(2)
    call caucus_group_create(MPI_COMM_WORLD, [(ranks - 1 - i, i=0, ranks - 1)], ranks, 0, group)
    right = modulo(ranks - rank, ranks) ! my rank in the group is ranks - 1 - rank
    left = modulo(ranks - 2 - rank, ranks)
    matrix = reshape([(100 * rank + i, i=1, 12)], [3, 4])
    call caucus_group_irecv(late, 2, MPI_INTEGER, left, 3, group, requests(1))
    call caucus_group_isend(matrix(1:2, 2), 2, MPI_INTEGER, right, 3, group, requests(2))
    call MPI_Wait(requests(1), status)
    call caucus_group_status(group, status)
    call expect(status%MPI_SOURCE == left .and. status%MPI_TAG == 3, 'status')
    call MPI_Get_count(status, MPI_INTEGER, i)
    call expect(i == 2, 'count')
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    call expect(all(late == 100 * modulo(rank + 1, ranks) + [4, 5]), 'isend and irecv')
    ! A row of the matrix has gaps: a blocking call takes it as it is.
    if (ranks > 1) then
      if (rank == 0) call caucus_group_send(matrix(2, 1:4), 4, MPI_INTEGER, ranks - 2, 4, group)
      if (rank == 1) then
        call caucus_group_recv(matrix(3, :), 4, MPI_INTEGER, MPI_ANY_SOURCE, 4, group, status, ierror)
        call expect(ierror == MPI_SUCCESS .and. status%MPI_SOURCE == ranks - 1, 'recv')
        call expect(all(matrix(3, :) == [2, 5, 8, 11]), 'a row')
        call expect(all(matrix(1:2, :) == reshape([(100 + 3 * i + 1, 100 + 3 * i + 2, i=0, 3)], [2, 4])), 'other rows')
      end if
    end if
    call caucus_group_isend(matrix(2, :), 4, MPI_INTEGER, 0, 4, group, requests(1), ierror)
    call expect_error(ierror, MPI_ERR_BUFFER, 'buffer is a section of an array that is not contiguous')
    call caucus_group_recv(got, 2, MPI_INTEGER, ranks, 0, group, MPI_STATUS_IGNORE, ierror)
    call expect_error(ierror, MPI_ERR_RANK, 'source is ')
    call caucus_group_send(got, 2, MPI_INTEGER, 0, CAUCUS_GROUP_TAGS, group, ierror)
    call expect_error(ierror, MPI_ERR_TAG, 'tag is 16')
    call caucus_group_free(group)
  end subroutine

  subroutine find_the_living()
    type(caucus_group) :: group, smaller
    type(MPI_Comm) :: comm
    logical :: detected
    integer :: i, ierror, class
    integer :: everybody(ranks)
    everybody = [(i, i=0, ranks - 1)]
    call caucus_failures_detected(detected, ierror)
    call expect(ierror == MPI_SUCCESS .and. .not. detected, 'failures_detected')
    call caucus_group_create_alive(MPI_COMM_WORLD, everybody, ranks, 60d0, group, ierror)
    call expect(ierror == MPI_SUCCESS, 'create_alive')
    call caucus_group_shrink_alive(group, 60d0, smaller, ierror)
    call expect(ierror == MPI_SUCCESS, 'shrink_alive')
    call caucus_group_to_comm_alive(smaller, 60d0, comm, ierror)
    if (ierror == MPI_SUCCESS) then
      call check_comm(comm, 'to_comm_alive')
    else
      call MPI_Error_class(ierror, class)
      call expect(class == MPI_ERR_UNSUPPORTED_OPERATION, 'to_comm_alive')
    end if
    call check_group(smaller, everybody, 'shrink_alive')
    call check_group(group, everybody, 'create_alive')
    call caucus_group_create_alive(MPI_COMM_WORLD, everybody, ranks, -1d0, group, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'timeout')
  end subroutine

  ! Indices begin with 1.
  subroutine complete_requests()
    type(caucus_request) :: requests(4)
    type(MPI_Status) :: statuses(4), status
    integer, asynchronous :: x(4)
    integer :: i, index, outcount, indices(4), ierror
    logical :: flag
    do i = 1, 4
      call caucus_bcast_init(x(i), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(i))
    end do
    x = merge([1, 2, 3, 4], -1, rank == 0)
    call caucus_startall(4, requests, ierror)
    call caucus_waitall(4, requests, statuses, ierror)
    call expect(ierror == MPI_SUCCESS .and. all(x == [1, 2, 3, 4]), 'waitall')
    call expect(all(statuses%MPI_SOURCE == MPI_ANY_SOURCE) .and. all(statuses%MPI_TAG == MPI_ANY_TAG), 'statuses')
    call caucus_startall(4, requests)
    call caucus_waitall(4, requests, MPI_STATUSES_IGNORE)
    call caucus_start(requests(3))
    call caucus_waitany(4, requests, index, status, ierror)
    call expect(ierror == MPI_SUCCESS .and. index == 3 .and. status%MPI_SOURCE == MPI_ANY_SOURCE, 'waitany')
    call caucus_waitany(4, requests, index, MPI_STATUS_IGNORE)
    call expect(index == MPI_UNDEFINED, 'waitany of none')
    statuses%MPI_TAG = 77
    call caucus_start(requests(2))
    call caucus_waitsome(4, requests, outcount, indices, statuses, ierror)
    call expect(outcount == 1 .and. indices(1) == 2, 'waitsome')
    call expect(all(statuses%MPI_TAG == [MPI_ANY_TAG, 77, 77, 77]), 'statuses of waitsome')
    call caucus_waitsome(4, requests, outcount, indices, MPI_STATUSES_IGNORE)
    call expect(outcount == MPI_UNDEFINED, 'waitsome of none')
    indices = 7
    outcount = 3
    call caucus_waitsome(-1, requests, outcount, indices, MPI_STATUSES_IGNORE, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_waitsome: incount is -1')
    call expect(outcount == MPI_UNDEFINED .and. all(indices == 7), 'indices of a waitsome that failed')
    outcount = 3
    call caucus_testsome(-1, requests, outcount, indices, MPI_STATUSES_IGNORE, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_testsome: incount is -1')
    call expect(outcount == MPI_UNDEFINED .and. all(indices == 7), 'indices of a testsome that failed')
    index = 3
    call caucus_waitany(-1, requests, index, MPI_STATUS_IGNORE, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_waitany: count is -1')
    call expect(index == MPI_UNDEFINED, 'index of a waitany that failed')
    index = 3
    call caucus_testany(-1, requests, index, flag, MPI_STATUS_IGNORE, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_testany: count is -1')
    call expect(index == MPI_UNDEFINED, 'index of a testany that failed')
    call caucus_start(requests(4))
    flag = .false.
    do while (.not. flag)
      call caucus_request_get_status(requests(4), flag, status)
    end do
    call caucus_testany(4, requests, index, flag, status, ierror)
    call expect(flag .and. index == 4, 'testany')
    call caucus_start(requests(1))
    outcount = 0
    do while (outcount == 0)
      call caucus_testsome(4, requests, outcount, indices, statuses)
    end do
    call expect(outcount == 1 .and. indices(1) == 1, 'testsome')
    call caucus_startall(4, requests)
    flag = .false.
    do while (.not. flag)
      call caucus_testall(4, requests, flag, statuses)
    end do
    call caucus_test(requests(1), flag, status)
    call expect(flag, 'test of an inactive request')
    call caucus_start(requests(1), ierror)
    call caucus_start(requests(1), ierror)
    call expect_error(ierror, MPI_ERR_REQUEST, 'caucus_start: ')
    call caucus_wait(requests(1), status)
    do i = 1, 4
      call caucus_request_free(requests(i), ierror)
      call expect(ierror == MPI_SUCCESS .and. requests(i) == CAUCUS_REQUEST_NULL, 'request_free')
    end do
    call caucus_request_free(requests(1), ierror)
    call expect_error(ierror, MPI_ERR_REQUEST, 'caucus_request_free: ')
  end subroutine

  ! A kind of Fortran's is no derived datatype, and a user's operation in Fortran is called; a new
  ! group goes without preparation at first.
  subroutine keep_types_of_fortran()
    integer, parameter :: long = selected_real_kind(14)
    type(MPI_Datatype) :: kind_of_fortran
    type(MPI_Op) :: op
    type(caucus_group) :: group
    real(long) :: x(2), y(2)
    complex :: z, sum_of_z
    integer :: ierror, time
    call MPI_Type_create_f90_real(14, MPI_UNDEFINED, kind_of_fortran)
    call MPI_Op_create(add, .false., op)
    do time = 1, 3
      call alone_together(group, time)
      x = [1, rank]
      call caucus_allreduce(x, y, 2, kind_of_fortran, MPI_SUM, MPI_COMM_WORLD, ierror)
      call expect(ierror == MPI_SUCCESS .and. all(y == [ranks, ranks * (ranks - 1) / 2]), 'a kind')
      call caucus_group_allreduce(x, y, 2, kind_of_fortran, MPI_SUM, group, ierror)
      call expect(ierror == MPI_SUCCESS .and. all(y == [ranks, ranks * (ranks - 1) / 2]), 'a kind, on a group')
      z = cmplx(1, rank)
      call caucus_group_allreduce(z, sum_of_z, 1, MPI_COMPLEX, MPI_SUM, group, ierror)
      call expect(ierror == MPI_SUCCESS .and. sum_of_z == cmplx(ranks, ranks * (ranks - 1) / 2), 'complex numbers')
      call caucus_allreduce(x, y, 2, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierror)
      call expect(ierror == MPI_SUCCESS .and. all(y == [ranks, ranks * (ranks - 1) / 2]), 'an operation')
      call caucus_group_free(group)
    end do
    call caucus_op_free(op, ierror)
    call expect(ierror == MPI_SUCCESS .and. op == MPI_OP_NULL, 'op_free')
  end subroutine

  subroutine alone_together(group, tag)
    type(caucus_group), intent(out) :: group
    integer, intent(in) :: tag
    integer :: i
    call caucus_group_create(MPI_COMM_WORLD, [(i, i=0, ranks - 1)], ranks, tag, group)
  end subroutine

  ! Groups of one rank; rank r has r steps to do.
  subroutine balance_work()
    type(caucus_balance) :: balance
    type(caucus_balance_counters) :: counters
    type(caucus_group) :: group
    integer :: news, source, work, left, many, steps, ierror
    steps = 0
    call caucus_balance_open(MPI_COMM_WORLD, 1, balance, ierror)
    call expect(ierror == MPI_SUCCESS .and. balance /= CAUCUS_BALANCE_NULL, 'balance_open')
    left = 5 * rank
    news = CAUCUS_BALANCE_SAME
    call caucus_balance_group(balance, group, source, work)
    call expect(work == rank .and. source == 0, 'balance_group')
    do while (news /= CAUCUS_BALANCE_OVER)
      if (news == CAUCUS_BALANCE_GROWN) then
        call caucus_balance_group(balance, group=group, source=source)
        call caucus_group_bcast(left, 1, MPI_INTEGER, source, group)
      end if
      if (left > 0) then
        call caucus_group_size(group, many)
        left = left - 1
        steps = steps + 1
      end if
      call caucus_balance_poll(balance, left > 0, news)
    end do
    call expect(steps >= 5 * rank .or. ranks > 1, 'steps')
    call caucus_balance_statistics(balance, counters, ierror)
    call expect(ierror == MPI_SUCCESS .and. counters%polls > 0 .and. counters%waited >= 0, 'balance_statistics')
    call caucus_balance_close(balance, ierror)
    call expect(ierror == MPI_SUCCESS .and. balance == CAUCUS_BALANCE_NULL, 'balance_close')
    call caucus_balance_poll(balance, .true., news, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_balance_poll: ')
  end subroutine

  subroutine run_tasks()
    type(caucus_pool_options) :: options
    type(caucus_pool) :: pool
    type(caucus_pool_counters) :: counters
    integer :: i, ierror, total(0:9), workers
    workers = max(ranks - 1, 1)
    options%body = c_funloc(body)
    options%context = c_loc(done)
    options%task_bytes = 4
    call caucus_pool_open(MPI_COMM_WORLD, options, pool, ierror)
    call expect(ierror == MPI_SUCCESS .and. pool /= CAUCUS_POOL_NULL, 'pool_open')
    do i = 0, 5
      if (rank == 0) call caucus_pool_submit(pool, 1 + mod(i, workers), i)
    end do
    call caucus_pool_run(pool, ierror)
    call expect(ierror == MPI_SUCCESS, 'pool_run')
    call MPI_Allreduce(done, total, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect(all(total == [(1 + mod(i, workers), i=0, 5), 0, 0, 0, 0]), 'tasks')
    call caucus_pool_statistics(pool, counters, ierror)
    call expect(ierror == MPI_SUCCESS .and. counters%tasks == sum(done), 'pool_statistics')
    if (rank == 0) call caucus_pool_submit(pool, 1, 7, ierror)
    call caucus_pool_run(pool, ierror)
    call expect_error(ierror, MPI_ERR_OTHER, 'caucus_pool_run: ')
    call caucus_pool_submit(pool, ranks + 1, 1, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_pool_submit: ')
    call caucus_pool_close(pool, ierror)
    call expect(ierror == MPI_SUCCESS .and. pool == CAUCUS_POOL_NULL, 'pool_close')
  end subroutine
end program
