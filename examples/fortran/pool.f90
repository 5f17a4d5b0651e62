! SPDX-License-Identifier: BSD-3-Clause
! Tasks that need one or more ranks each, run by whoever is idle.
module squares
    use, intrinsic :: iso_c_binding
    use mpi_f08
    use caucus
    implicit none
    integer, target :: result(8) = 0
contains
    ! Each rank of the group adds its part of the task's square.
    function square(context, pool, group, task) bind(C) result(failed)
        type(c_ptr), value :: context, task
        type(caucus_pool), value :: pool
        type(caucus_group), value :: group
        integer(c_int) :: failed
        integer, pointer :: number, kept(:)
        integer :: rank, many, sum, i
        failed = merge(0, 1, pool /= CAUCUS_POOL_NULL)
        call c_f_pointer(task, number)
        call c_f_pointer(context, kept, [8])
        call caucus_group_rank(group, rank)
        call caucus_group_size(group, many)
        call caucus_group_reduce(number * size([(i, i=rank, number - 1, many)]), sum, 1, MPI_INTEGER, MPI_SUM, &
            0, group)
        if (rank == 0) kept(number) = sum
    end function
end module

program pool_example
    use mpi_f08
    use caucus
    use squares
    implicit none
    integer :: ranks, rank, number, total(8)
    type(caucus_pool) :: pool
    type(caucus_pool_options) :: options

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    options%body = c_funloc(square)
    options%context = c_loc(result)
    options%task_bytes = storage_size(number) / 8
    call caucus_pool_open(MPI_COMM_WORLD, options, pool)
    if (rank == 0) then
        do number = 1, 8
            call caucus_pool_submit(pool, merge(2, 1, mod(number, 2) == 0 .and. ranks > 2), number)
        end do
    end if
    call caucus_pool_run(pool)
    call caucus_pool_close(pool)
    call MPI_Reduce(result, total, 8, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
    if (rank == 0) print '(a,8(1x,i0))', 'the squares are', total
    call MPI_Finalize()
end program
