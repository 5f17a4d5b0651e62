! SPDX-License-Identifier: BSD-3-Clause
! Channels of the module caucus, with callbacks and without, questions and allreduces; and sections
! of arrays in collectives. On any number of ranks up to four.
module callbacks
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use caucus
  implicit none
  integer, target :: heard(0:3) = 0
  integer :: outcome = -1, included = -1, contributions = -1
  integer, target :: own = -1
contains
  subroutine hear(context, delivery) bind(C)
    type(c_ptr), value :: context
    type(caucus_delivery), intent(in) :: delivery
    integer, pointer :: numbers(:), kept(:)
    call c_f_pointer(context, kept, [size(heard)])
    call c_f_pointer(delivery%bytes, numbers, [delivery%length / 4])
    if (delivery%outcome /= 0) then
      outcome = numbers(1)
      included = delivery%included
      contributions = delivery%contributions
    else
      kept(delivery%origin + 1) = kept(delivery%origin + 1) + sum(numbers)
    end if
  end subroutine

  subroutine answer(context, question, room) bind(C)
    type(c_ptr), value :: context, room
    type(caucus_delivery), intent(in) :: question
    integer, pointer :: asked, given
    if (.not. c_associated(context, c_loc(heard))) error stop 4
    call c_f_pointer(question%bytes, asked)
    call c_f_pointer(room, given)
    given = asked * own
  end subroutine

  subroutine add(context, into, from) bind(C)
    type(c_ptr), value :: context, into, from
    integer, pointer :: a, b
    if (.not. c_associated(context, c_loc(heard))) error stop 4
    call c_f_pointer(into, a)
    call c_f_pointer(from, b)
    a = a + b
  end subroutine
end module

program channels
  use mpi_f08
  use caucus
  use callbacks
  implicit none
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  own = rank + 1
  call with_callbacks()
  call without_callbacks()
  call sections()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'right'
contains
#include "check.inc"

  ! A rank that goes on may be heard by one that is not back from waiting for quiet: a barrier comes
  ! before what is said next.
  subroutine with_callbacks()
    type(caucus_channel_options) :: options
    type(caucus_channel) :: channel
    type(caucus_channel_counters) :: counters
    integer :: i, result, dead(1), count, ierror, table(2, 3)
    logical :: accepted
    options%deliver = c_funloc(hear)
    options%answer = c_funloc(answer)
    options%combine = c_funloc(add)
    options%context = c_loc(heard)
    options%answer_bytes = 4
    call expect(options%order == CAUCUS_ORDER_FIFO, 'the default')
    options%order = CAUCUS_ORDER_CAUSAL
    call caucus_channel_open(MPI_COMM_WORLD, options, channel, ierror)
    call expect(ierror == MPI_SUCCESS .and. channel /= CAUCUS_CHANNEL_NULL, 'channel_open')
    table = reshape([1, 100, 2, 200, 3, 300], [2, 3])
    call caucus_cast(channel, table(1, :), 12_MPI_COUNT_KIND, ierror) ! with gaps
    call expect(ierror == MPI_SUCCESS, 'cast')
    accepted = .false.
    do while (.not. accepted)
      call caucus_try_cast(channel, [10 * rank], 4_MPI_COUNT_KIND, accepted)
    end do
    call caucus_channel_poll(channel, ierror)
    call caucus_channel_flush(channel, ierror)
    call expect(ierror == MPI_SUCCESS, 'flush')
    call caucus_channel_quiesce(channel, ierror)
    call expect(ierror == MPI_SUCCESS, 'quiesce')
    call expect(all(heard(0:ranks - 1) == [(merge(0, 6 + 10 * i, i == rank), i=0, ranks - 1)]), 'what was heard')
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == ranks - 1) then
      result = 3 * own
      call caucus_channel_ask(channel, 3, 4_MPI_COUNT_KIND, result, ierror)
      call expect(ierror == MPI_SUCCESS .and. result == 3 * ranks * (ranks + 1) / 2, 'ask')
    end if
    call caucus_channel_quiesce(channel)
    if (rank == 0) then
      result = 5 * own
      call caucus_channel_allreduce(channel, CAUCUS_QUORUM_ALL, 5, 4_MPI_COUNT_KIND, result, ierror)
      call expect(ierror == MPI_SUCCESS .and. result == 5 * ranks * (ranks + 1) / 2, 'allreduce')
    end if
    call caucus_channel_quiesce(channel)
    call expect(outcome == 5 * ranks * (ranks + 1) / 2 .and. included == 1 .and. contributions == ranks, 'outcome')
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == 0) then
      accepted = .false.
      do while (.not. accepted)
        call caucus_channel_try_allreduce(channel, CAUCUS_QUORUM_SOLO, 7, 4_MPI_COUNT_KIND, 7 * own, accepted)
      end do
    end if
    call caucus_channel_quiesce(channel)
    call expect(outcome == 7 * ranks * (ranks + 1) / 2 .and. contributions == ranks, 'solo')
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == 0) then
      result = 2 * own
      call caucus_channel_allreduce(channel, CAUCUS_QUORUM_MAJORITY, 2, 4_MPI_COUNT_KIND, result, ierror)
      call expect(ierror == MPI_SUCCESS .and. result >= ranks + 1, 'majority')
    end if
    call caucus_channel_quiesce(channel)
    call expect(contributions == ranks / 2 + 1, 'contributions of a majority')
    call caucus_channel_statistics(channel, counters, ierror)
    call expect(ierror == MPI_SUCCESS .and. counters%casts == merge(8, 2, rank == 0) + merge(1, 0, rank == ranks - 1), &
                'statistics: casts')
    call caucus_channel_dead(channel, 1, dead, count, ierror)
    call expect(ierror == MPI_SUCCESS .and. count == 0, 'dead')
    call caucus_channel_reply(channel, 0, 1, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_channel_reply: ')
    call caucus_channel_stop_progress(channel, ierror)
    call expect(ierror == MPI_SUCCESS, 'stop_progress')
    call caucus_channel_close(channel, ierror)
    call expect(ierror == MPI_SUCCESS .and. channel == CAUCUS_CHANNEL_NULL, 'close')
    call caucus_channel_poll(channel, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'caucus_channel_poll: ')
    options%order = 17
    call caucus_channel_open(MPI_COMM_WORLD, options, channel, ierror)
    call expect_error(ierror, MPI_ERR_ARG, 'order')
  end subroutine

  ! Total order: all hear all, in the same order. Rank 0 asks, the others receive the question.
  subroutine without_callbacks()
    type(caucus_channel_options) :: options
    type(caucus_channel) :: channel
    type(caucus_delivery) :: delivery
    integer :: i, heard_in_all, result, ierror, bits, together, either
    integer, pointer :: number
    logical :: received, quiet
    options%order = CAUCUS_ORDER_TOTAL
    options%combine = c_funloc(add)
    options%context = c_loc(heard)
    options%answer_bytes = 4
    call caucus_channel_open(MPI_COMM_WORLD, options, channel)
    call caucus_cast(channel, rank + 1, 4_MPI_COUNT_KIND)
    bits = 0
    do i = 1, ranks
      call caucus_channel_recv(channel, delivery, ierror)
      call expect(ierror == MPI_SUCCESS .and. delivery%length == 4 .and. delivery%total == 4, 'recv')
      call c_f_pointer(delivery%bytes, number)
      call expect(number == delivery%origin + 1, 'a message')
      bits = 8 * bits + number
    end do
    call MPI_Allreduce(bits, together, 1, MPI_INTEGER, MPI_BAND, MPI_COMM_WORLD)
    call MPI_Allreduce(bits, either, 1, MPI_INTEGER, MPI_BOR, MPI_COMM_WORLD)
    call expect(together == either, 'total order')
    if (rank == 0) then
      result = 1
      call caucus_channel_ask(channel, 2, 4_MPI_COUNT_KIND, result, ierror)
      call expect(ierror == MPI_SUCCESS .and. result == 1 + sum([(2 * i, i=2, ranks)]), 'ask without callbacks')
    end if
    quiet = .false.
    heard_in_all = 0
    do while (.not. quiet)
      call caucus_channel_try_recv(channel, delivery, received)
      if (.not. received) then
        call caucus_channel_try_quiesce(channel, quiet)
        cycle
      end if
      call expect(delivery%asks == 1 .and. delivery%origin == 0, 'a question')
      call c_f_pointer(delivery%bytes, number)
      call caucus_channel_reply(channel, 0, number * (rank + 1), ierror)
      call expect(ierror == MPI_SUCCESS, 'reply')
      heard_in_all = heard_in_all + 1
    end do
    call expect(heard_in_all == merge(0, 1, rank == 0), 'questions')
    call caucus_channel_close(channel)
  end subroutine

  ! Blocking calls take them as they are, the others refuse them, on all ranks where they agree.
  subroutine sections()
    integer :: matrix(4, 6), cube(2, 3, 4), got(12), ierror, i
    type(caucus_request) :: request
    matrix = reshape([(i, i=1, 24)], [4, 6])
    call caucus_allreduce(matrix(2, :), got, 6, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierror)
    call expect(ierror == MPI_SUCCESS .and. all(got(1:6) == matrix(2, :)), 'a row is sent')
    matrix(3, :) = -1
    if (rank == 0) matrix(3, :) = [(i, i=31, 36)]
    call caucus_bcast(matrix(3, ::2), 3, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call caucus_bcast(matrix(3, 6:1:-2), 3, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call expect(all(matrix(3, :) == [(i, i=31, 36)]), 'parts of a row, also backwards')
    call expect(all(matrix([1, 2, 4], :) == reshape([(4 * i + 1, 4 * i + 2, 4 * i + 4, i=0, 5)], [3, 6])), 'the rest')
    cube = reshape([(i, i=1, 24)], [2, 3, 4])
    call caucus_allreduce(MPI_IN_PLACE, cube(:, 2, 1:4:3), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect(all(cube(:, 2, 1) == ranks * [3, 4]) .and. all(cube(:, 2, 4) == ranks * [21, 22]), 'in place')
    call expect(all(cube(:, 2, 2:3) == reshape([9, 10, 15, 16], [2, 2])), 'the rest of a cube')
    call caucus_bcast(matrix(1:0, :), 0, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    call expect(ierror == MPI_SUCCESS, 'a section of nothing')
    call caucus_ibcast(matrix(:, 2:3), 8, MPI_INTEGER, 0, MPI_COMM_WORLD, request) ! without gaps
    call caucus_wait(request, MPI_STATUS_IGNORE)
    do i = 1, 8 ! until the call is known again
      call caucus_iallreduce(cube(:, :, 1), got, 6, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request)
      call caucus_wait(request, MPI_STATUS_IGNORE)
    end do
    call caucus_iallreduce(matrix(2, :), got, 6, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
    call expect_error(ierror, MPI_ERR_BUFFER, 'sendbuf is a section of an array that is not contiguous in memory')
    if (rank == 0) then ! errs alone, and all learn of it
      call caucus_bcast_init(matrix(2, :), 6, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    else
      call caucus_bcast_init(got, 6, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    end if
    call expect_error(ierror, MPI_ERR_BUFFER, 'buffer is a section of an array')
    call caucus_redistribute_init(matrix(2, :), 1_MPI_COUNT_KIND, [caucus_index_range(6 * rank, 6)], MPI_INTEGER, got, &
                                  0_MPI_COUNT_KIND, [caucus_index_range(0, 0)], MPI_INTEGER, MPI_COMM_WORLD, &
                                  MPI_INFO_NULL, request, ierror)
    call expect_error(ierror, MPI_ERR_BUFFER, 'sendbuf is a section of an array')
    call caucus_allreduce(got, got(2:), -1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call expect_error(ierror, MPI_ERR_COUNT, 'count is -1')
    call caucus_bcast(got, 1, MPI_INTEGER, ranks, MPI_COMM_WORLD, ierror)
    call expect_error(ierror, MPI_ERR_ROOT, 'caucus_bcast: ')
    call at_the_bottom()
  end subroutine

  subroutine at_the_bottom()
    integer, asynchronous :: number
    integer(MPI_ADDRESS_KIND) :: place
    type(MPI_Datatype) :: type
    call MPI_Get_address(number, place)
    call MPI_Type_create_hindexed(1, [1], [place], MPI_INTEGER, type)
    call MPI_Type_commit(type)
    number = merge(17, -1, rank == 0)
    call caucus_bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD)
    call MPI_F_sync_reg(number)
    call expect(number == 17, 'MPI_BOTTOM')
    call MPI_Type_free(type)
  end subroutine
end program
