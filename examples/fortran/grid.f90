! SPDX-License-Identifier: BSD-3-Clause
! A grid whose neighbours share a node wherever possible: every rank gets what its neighbours have,
! and rank 0 tells what reordering has saved.
program grid_example
    use mpi_f08
    use caucus
    implicit none
    integer :: dims(2), ranks, rank, coords(2), left, right, below, above, sum
    logical :: periods(2) = .true.
    type(MPI_Comm) :: grid
    type(caucus_cart_report_data) :: report
    integer :: halo(4)

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    dims = 0
    call caucus_dims_create(MPI_COMM_WORLD, ranks, 2, dims=dims, periods=periods)
    call caucus_cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., grid)

    ! It is an ordinary Cartesian communicator, in which this process may have another rank.
    call MPI_Comm_rank(grid, rank)
    call MPI_Cart_coords(grid, rank, 2, coords)
    call MPI_Cart_shift(grid, 0, 1, left, right)
    call MPI_Cart_shift(grid, 1, 1, below, above)
    call caucus_neighbor_allgather(rank, 1, MPI_INTEGER, halo, 1, MPI_INTEGER, grid)
    if (any(halo /= [left, right, below, above])) error stop 'wrong neighbours'
    call caucus_allreduce(coords(1) + coords(2), sum, 1, MPI_INTEGER, MPI_SUM, grid)

    call caucus_cart_report(grid, report)
    if (rank == 0) then
        print '(a,i0,a,i0,a,i0,a)', 'a grid of ', dims(1), ' by ', dims(2), ' on ', report%nodes, ' nodes'
        print '(a,i0)', 'the sum of all coordinates is ', sum
        print '(3a,i0,a,i0)', 'edges between nodes, placed by ', trim(report%mapper), ': ', &
            nint(report%placed%off_node), ' instead of ', nint(report%given%off_node)
    end if
    call MPI_Comm_free(grid)
    call MPI_Finalize()
end program
