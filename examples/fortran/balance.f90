! SPDX-License-Identifier: BSD-3-Clause
! Each rank has its own work, much or little; who has finished helps.
program balance_example
    use mpi_f08
    use caucus
    implicit none
    integer :: ranks, rank, news, source, work, left, done, all_done
    type(caucus_balance) :: balance
    type(caucus_group) :: group
    integer :: own

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    left = 20 * rank
    done = 0
    call caucus_balance_open(MPI_COMM_WORLD, 1, balance)
    news = CAUCUS_BALANCE_GROWN ! there is a group to be asked for
    do while (news /= CAUCUS_BALANCE_OVER)
        if (news == CAUCUS_BALANCE_GROWN) then
            call caucus_balance_group(balance, group, source, work)
            call caucus_group_rank(group, own)
            call caucus_group_bcast(left, 1, MPI_INTEGER, source, group) ! what is left
        end if
        if (left > 0) then
            if (own == 0) done = done + 1 ! a step that all members of the group take together
            left = left - 1
        end if
        call caucus_balance_poll(balance, left > 0, news)
    end do
    call caucus_balance_close(balance)
    call caucus_allreduce(done, all_done, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (rank == 0) print '(i0,a)', all_done, ' steps were done'
    call MPI_Finalize()
end program
