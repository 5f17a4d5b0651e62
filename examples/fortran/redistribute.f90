! SPDX-License-Identifier: BSD-3-Clause
! A field goes from blocks to slices, as in a transposition: rank r has rows, and wants columns.
program redistribute_example
    use mpi_f08
    use caucus
    implicit none
    integer, parameter :: rows = 2 ! of each rank
    integer :: ranks, rank, n, i, j
    integer, asynchronous, allocatable :: by_rows(:, :), by_columns(:, :)
    type(caucus_index_range), allocatable :: want(:)
    type(caucus_request) :: request

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    n = rows * ranks

    ! Element (i, j) of the whole matrix, row i and column j from 0, has the index n * i + j.
    allocate (by_rows(n, rows), by_columns(rows, n), want(n))
    do i = 0, rows - 1
        by_rows(:, i + 1) = [(n * (rows * rank + i) + j, j=0, n - 1)]
    end do
    want = [(caucus_index_range(n * i + rows * rank, rows), i=0, n - 1)]
    call caucus_redistribute_init(by_rows, 1_MPI_COUNT_KIND, [caucus_index_range(n * rows * rank, n * rows)], &
        MPI_INTEGER, by_columns, int(n, MPI_COUNT_KIND), want, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call caucus_start(request)
    call caucus_wait(request, MPI_STATUS_IGNORE)
    call caucus_request_free(request)

    if (any(by_columns /= reshape([((n * i + rows * rank + j, j=0, rows - 1), i=0, n - 1)], [rows, n]))) &
        error stop 'a wrong element'
    if (rank == 0) print '(a,i0,a)', 'all ', n * n, ' elements are where they are wanted'
    call MPI_Finalize()
end program
