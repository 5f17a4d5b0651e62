! SPDX-License-Identifier: BSD-3-Clause
! A program whose default integers have eight bytes, for an MPI whose library for Fortran takes these.
program ilp64
    implicit none
    include 'mpif.h'
    integer :: rank, ranks, grid, request, i, sum, ierror
    integer :: given(3), sums(3), status(MPI_STATUS_SIZE)
    logical, parameter :: periods(2) = .false.

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    if (storage_size(rank) /= 64) error stop 'integers have another size'
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, ranks / 2], periods, .true., grid, ierror)
    call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, grid, ierror)
    if (sum /= ranks * (ranks - 1) / 2) error stop 'the sum on the grid'
    call MPI_Comm_free(grid, ierror)
    do i = 1, 3 ! Intel's library for these has no persistent collectives
        given = rank + i * 2_8**40
        call MPI_Iallreduce(given, sums, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierror)
        call MPI_Wait(request, status, ierror)
        if (any(sums /= ranks * (ranks - 1) / 2 + ranks * i * 2_8**40)) error stop 'the sums'
    end do
    call MPI_Finalize(ierror)
    if (rank == 0) print '(a)', 'right'
end program
