! SPDX-License-Identifier: BSD-3-Clause
! Any rank casts what it has found, at any time, and all others hear it; then one of them has all
! vote.
module search
    use, intrinsic :: iso_c_binding
    use caucus
    implicit none
    integer, target :: best = huge(1)
contains
    subroutine hear(context, delivery) bind(C)
        type(c_ptr), value :: context
        type(caucus_delivery), intent(in) :: delivery
        integer, pointer :: known, found
        if (delivery%outcome /= 0) return
        call c_f_pointer(context, known)
        call c_f_pointer(delivery%bytes, found)
        known = min(known, found)
    end subroutine

    subroutine vote(context, question, answer) bind(C)
        type(c_ptr), value :: context, answer
        type(caucus_delivery), intent(in) :: question
        integer, pointer :: known, proposed, yes
        call c_f_pointer(context, known)
        call c_f_pointer(question%bytes, proposed)
        call c_f_pointer(answer, yes)
        yes = merge(1, 0, proposed == known)
    end subroutine

    subroutine add(context, into, from) bind(C)
        type(c_ptr), value :: context, into, from
        integer, pointer :: a, b
        if (.not. c_associated(context)) return
        call c_f_pointer(into, a)
        call c_f_pointer(from, b)
        a = a + b
    end subroutine
end module

program channel_example
    use mpi_f08
    use caucus
    use search
    implicit none
    integer :: ranks, rank, found, votes
    type(caucus_channel) :: channel
    type(caucus_channel_options) :: options

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    options%deliver = c_funloc(hear)
    options%answer = c_funloc(vote)
    options%combine = c_funloc(add)
    options%answer_bytes = storage_size(votes) / 8
    options%context = c_loc(best)
    call caucus_channel_open(MPI_COMM_WORLD, options, channel)

    found = 100 - 7 * rank
    best = min(best, found)
    call caucus_cast(channel, found, storage_size(found, MPI_COUNT_KIND) / 8)
    call caucus_channel_quiesce(channel) ! all have heard all
    if (rank == 0) then
        votes = 1
        call caucus_channel_ask(channel, best, storage_size(best, MPI_COUNT_KIND) / 8, votes)
        print '(a,i0,a,i0,a)', 'the best is ', best, ', say ', votes, ' ranks'
    end if
    call caucus_channel_close(channel)
    call MPI_Finalize()
end program
