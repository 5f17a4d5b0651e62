! SPDX-License-Identifier: BSD-3-Clause
! Parts of a mesh, each of which exchanges with the part on the other side of the ring: such pairs
! are brought onto one node.
program graph_example
    use mpi_f08
    use caucus
    implicit none
    integer :: ranks, rank, other(1), weight(1), from(1), to(1), from_weight(1), to_weight(1), got
    type(MPI_Comm) :: graph
    type(caucus_cart_report_data) :: report

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    other = modulo(rank + ranks / 2, ranks)
    weight = 100
    call caucus_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, other, weight, 1, other, weight, &
        MPI_INFO_NULL, .true., graph)

    ! Whose part this process has now, and with whom that exchanges.
    call MPI_Comm_rank(graph, rank)
    call MPI_Dist_graph_neighbors(graph, 1, from, from_weight, 1, to, to_weight)
    call caucus_neighbor_alltoall([rank], 1, MPI_INTEGER, got, 1, MPI_INTEGER, graph)
    if (got /= modulo(rank + ranks / 2, ranks) .or. got /= from(1)) error stop 'a wrong neighbour'

    call caucus_graph_report(graph, report)
    if (rank == 0) print '(a,i0,a,i0,a)', 'between nodes: ', nint(report%placed%off_node), &
        ' bytes instead of ', nint(report%given%off_node), ', and every part has its neighbour'
    call MPI_Comm_free(graph)
    call MPI_Finalize()
end program
