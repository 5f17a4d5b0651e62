! SPDX-License-Identifier: BSD-3-Clause
! Two coupled groups of ranks: rank 0 alone is the one, all others the other. They exchange blocks in
! one collective, and a field that both have cut in their own way.
program intergroup_example
    use mpi_f08
    use caucus
    implicit none
    integer, parameter :: points = 12
    integer :: ranks, rank, color, own, many, i, total, first
    type(MPI_Comm) :: local, inter
    type(caucus_request) :: request
    type(caucus_index_range) :: have(1), want(1)
    real(8), asynchronous :: field(points), mine(points)

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    color = min(rank, 1)
    call MPI_Comm_split(MPI_COMM_WORLD, color, rank, local)
    call MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - color, 0, inter)
    call MPI_Comm_rank(local, own)
    call MPI_Comm_size(local, many)

    call caucus_allreduce(10 * rank, total, 1, MPI_INTEGER, MPI_SUM, inter)
    if (rank == 0) print '(a,i0)', 'the others have ', total

    ! The second group has the field in blocks, the first one wants all of it, in every step anew.
    field = 0
    have = caucus_index_range(0, 0)
    want = caucus_index_range(0, 0)
    if (color == 0) then
        want = caucus_index_range(0, points)
    else
        first = points * own / many
        have = caucus_index_range(first, points * (own + 1) / many - first)
    end if
    call caucus_redistribute_init(mine, 1_MPI_COUNT_KIND, have, MPI_DOUBLE_PRECISION, field, &
        1_MPI_COUNT_KIND, want, MPI_DOUBLE_PRECISION, inter, MPI_INFO_NULL, request)
    do i = 1, 2
        mine = i * 100
        call caucus_start(request)
        call caucus_wait(request, MPI_STATUS_IGNORE)
        if (rank == 0) print '(a,i0,a,i0)', 'step ', i, ': the sum of the field is ', nint(sum(field))
    end do
    call caucus_request_free(request)
    call MPI_Comm_free(inter)
    call MPI_Comm_free(local)
    call MPI_Finalize()
end program
