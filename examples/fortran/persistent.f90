! SPDX-License-Identifier: BSD-3-Clause
! A collective that is set up once and started in every step, and one that goes on while the ranks
! do something else.
program persistent_example
    use mpi_f08
    use caucus
    implicit none
    integer :: ranks, rank, step
    real(8), asynchronous :: own(3), total(3), largest
    type(caucus_request) :: request, another
    logical :: complete
    integer :: tests

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)

    call caucus_allreduce_init(own, total, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request)
    do step = 1, 3
        own = [1, rank, step]
        call caucus_start(request)
        call caucus_wait(request, MPI_STATUS_IGNORE)
        if (rank == 0) print '(a,i0,a,3(1x,i0))', 'step ', step, ': the sums are', nint(total)
    end do
    call caucus_request_free(request)

    call caucus_iallreduce([10d0 * rank], largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, another)
    complete = .false.
    tests = 0
    do while (.not. complete)
        tests = tests + 1
        call caucus_test(another, complete, MPI_STATUS_IGNORE)
    end do
    if (rank == 0) print '(a,i0)', 'the largest is ', nint(largest)
    call MPI_Finalize()
end program
