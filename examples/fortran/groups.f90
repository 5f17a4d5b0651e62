! SPDX-License-Identifier: BSD-3-Clause
! Light groups: the odd ranks form one by themselves, add up their numbers, send messages in it and
! split it; then the groups of the even and of the odd ranks merge.
program groups_example
    use mpi_f08
    use caucus
    implicit none
    integer :: ranks, rank, own, many, total, got, i
    integer, allocatable :: alike(:)
    type(caucus_group) :: group, half, merged
    type(MPI_Comm) :: comm
    type(MPI_Status) :: status

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call caucus_comm_attach(MPI_COMM_WORLD) ! by all ranks, once

    alike = [(i, i=mod(rank, 2), ranks - 1, 2)]
    call caucus_group_create(MPI_COMM_WORLD, alike, size(alike), 0, group) ! by its members alone
    call caucus_group_rank(group, own)
    call caucus_group_size(group, many)
    call caucus_group_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, group)
    if (own == 0 .and. rank == 1) print '(a,i0)', 'the odd ranks add up to ', total

    if (own == 0) call caucus_group_send(total, 1, MPI_INTEGER, many - 1, 3, group)
    if (own == many - 1) then
        call caucus_group_recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, group, status)
        if (got /= total .or. status%MPI_SOURCE /= 0) error stop 'a wrong message'
    end if
    call caucus_group_split(group, own, 0, half)
    call caucus_group_size(half, got)
    if (got /= 1) error stop 'a group of one rank has more'

    ! Both groups know the first ranks of both.
    call caucus_group_merge(group, [0, 1], 2, 1, merged)
    call caucus_group_to_comm(merged, comm)
    call MPI_Comm_size(comm, got)
    if (rank == 0) print '(a,i0,a)', 'merged, they are a communicator of ', got, ' ranks'
    call MPI_Comm_free(comm)
    call caucus_group_free(merged)
    call caucus_group_free(half)
    call caucus_group_free(group)

    ! Those of a list who are alive: all of them here.
    call caucus_group_create_alive(MPI_COMM_WORLD, [(i, i=0, ranks - 1)], ranks, 60d0, group)
    call caucus_group_size(group, got)
    if (rank == 0) print '(i0,a)', got, ' ranks are alive'
    call caucus_group_free(group)
    call MPI_Finalize()
end program
