! SPDX-License-Identifier: BSD-3-Clause
! Grids, graphs and redistributions of the module caucus, on any number of ranks up to four. Each
! call is made with ierror and without.
program grids
  use mpi_f08
  use caucus
  implicit none
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call attach_and_create()
  call make_grids()
  call make_graphs()
  call exchange_blocks()
  call redistribute()
  call say_what_is_wrong()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'right'
contains
#include "check.inc"

  subroutine attach_and_create()
    type(MPI_Group) :: everybody
    type(MPI_Comm) :: comm
    integer :: ierror, result
    call caucus_comm_attach(MPI_COMM_WORLD)
    call caucus_comm_attach(MPI_COMM_WORLD, ierror)
    call expect(ierror == MPI_SUCCESS, 'attach')
    call MPI_Comm_group(MPI_COMM_WORLD, everybody)
    call caucus_comm_create_group(MPI_COMM_WORLD, everybody, 3, comm, ierror)
    call MPI_Comm_compare(MPI_COMM_WORLD, comm, result)
    call expect(ierror == MPI_SUCCESS .and. result == MPI_CONGRUENT, 'create_group')
    call MPI_Comm_free(comm)
    call MPI_Group_free(everybody)
    call expect(caucus_version() == '0.1.0', 'version')
    call expect(CAUCUS_VERSION_MAJOR == 0 .and. CAUCUS_VERSION_MINOR == 1 .and. &
                CAUCUS_VERSION_PATCH == 0, 'version of the module')
  end subroutine

  ! A grid of one dimension that is a ring, made by each function.
  subroutine make_grids()
    type(MPI_Comm) :: grid
    type(caucus_cart_report_data) :: report
    type(caucus_cart_traffic) :: traffic
    integer :: dims(2), ierror, newrank, i
    dims = [0, 1]
    call caucus_dims_create(MPI_COMM_WORLD, ranks, 2, dims=dims)
    call expect(all(dims == [ranks, 1]), 'dims_create')
    dims = 0
    call caucus_dims_create(MPI_COMM_WORLD, ranks, 2, [1d0, 1000d0], [.false., .true.], dims, ierror)
    call expect(ierror == MPI_SUCCESS .and. all(dims == [1, ranks]), 'dims_create with extents')
    do i = 1, 4
      select case (i)
      case (1)
        call caucus_cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .true., grid, ierror)
      case (2)
        call caucus_cart_create_weighted(MPI_COMM_WORLD, 1, [ranks], [.true.], [3d0], .true., grid, ierror)
      case (3)
        call caucus_cart_create_weighted(MPI_COMM_WORLD, 1, [ranks], [.true.], reorder=.true., comm_cart=grid, &
                                         ierror=ierror)
      case (4)
        call caucus_stencil_create(MPI_COMM_WORLD, 1, [ranks], [.true.], 1, [1], [5d0], MPI_INFO_NULL, .true., &
                                   grid, ierror)
      end select
      call expect(ierror == MPI_SUCCESS, 'a grid')
      call check_ring(grid)
      call caucus_cart_report(grid, report, ierror)
      call expect(ierror == MPI_SUCCESS .and. report%nodes == nodes(), 'nodes of a report')
      if (ranks > 1) call expect(report%given%all == ranks * merge(2, 1, i < 4) * weight(i), 'all traffic')
      call expect(report%placed%off_node <= report%given%off_node, 'never worse')
      traffic = report%placed
      call expect(traffic%all == report%given%all, 'all traffic, placed')
      call expect(report%rank0_kept .and. report%rank0_cost >= 0, 'rank 0')
      call expect(len_trim(report%mapper) > 0 .and. index(report%mapper, char(0)) == 0, 'mapper')
      if (nodes() == 1 .and. ranks > 1) call expect(report%given%on_max == merge(2, 1, i < 4) .and. report%bound == 0, 'one node')
      call MPI_Comm_free(grid)
    end do
    call caucus_cart_map(MPI_COMM_WORLD, 1, [ranks], [.true.], newrank, ierror)
    call expect(ierror == MPI_SUCCESS .and. newrank >= 0 .and. newrank < ranks, 'cart_map')
  end subroutine

  real(8) function weight(i)
    integer, intent(in) :: i
    real(8), parameter :: weights(4) = [1d0, 3d0, 1d0, 5d0]
    weight = weights(i)
  end function

  ! As CAUCUS_NODES says in the test.
  integer function nodes()
    character(8) :: text
    integer :: length
    call get_environment_variable('TEST_NODES', text, length)
    nodes = 1
    if (length > 0) read (text, *) nodes
  end function

  subroutine check_ring(grid)
    type(MPI_Comm), intent(in) :: grid
    integer :: own, left, right, got, dims(1), coords(1)
    logical :: periods(1)
    call MPI_Cart_get(grid, 1, dims, periods, coords)
    call expect(dims(1) == ranks .and. periods(1), 'the shape of a grid')
    call MPI_Comm_rank(grid, own)
    call MPI_Cart_shift(grid, 0, 1, left, right)
    call MPI_Sendrecv(own, 1, MPI_INTEGER, right, 0, got, 1, MPI_INTEGER, left, 0, grid, MPI_STATUS_IGNORE)
    call expect(got == modulo(own - 1, ranks), 'a neighbour')
  end subroutine

  subroutine make_graphs()
    type(MPI_Comm) :: graph
    type(caucus_cart_report_data) :: report
    integer :: left(1), right(1), ierror, i
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    do i = 1, 4
      select case (i)
      case (1)
        call caucus_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, left, MPI_UNWEIGHTED, 1, right, MPI_UNWEIGHTED, &
                                               MPI_INFO_NULL, .true., graph, ierror)
      case (2)
        call caucus_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, left, [7], 1, right, [7], MPI_INFO_NULL, .true., &
                                               graph, ierror)
      case (3)
        call caucus_dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], right, MPI_UNWEIGHTED, MPI_INFO_NULL, .true., &
                                      graph, ierror)
      case (4)
        call caucus_dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], right, [7], MPI_INFO_NULL, .true., graph, ierror)
      end select
      call expect(ierror == MPI_SUCCESS, 'a graph')
      call check_graph(graph, mod(i, 2) == 0)
      call caucus_graph_report(graph, report, ierror)
      call expect(ierror == MPI_SUCCESS .and. report%nodes == nodes(), 'nodes of a graph')
      call expect(report%placed%off_node <= report%given%off_node, 'a graph is never worse')
      call MPI_Comm_free(graph)
    end do
    call make_whole_graph()
  end subroutine

  subroutine check_graph(graph, has_weights)
    type(MPI_Comm), intent(in) :: graph
    logical, intent(in) :: has_weights
    integer :: own, in, out, from(1), to(1), from_weight(1), to_weight(1)
    logical :: weighted
    call MPI_Comm_rank(graph, own)
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted)
    call expect(in == 1 .and. out == 1 .and. (weighted .eqv. has_weights), 'degrees')
    call MPI_Dist_graph_neighbors(graph, 1, from, from_weight, 1, to, to_weight)
    call expect(from(1) == modulo(own - 1, ranks) .and. to(1) == modulo(own + 1, ranks), 'neighbours')
    if (has_weights) call expect(from_weight(1) == 7 .and. to_weight(1) == 7, 'weights')
  end subroutine

  subroutine make_whole_graph()
    type(MPI_Comm) :: graph
    integer :: i, own, count, ierror, to(1)
    call caucus_graph_create(MPI_COMM_WORLD, ranks, [(i, i=1, ranks)], [(modulo(i, ranks), i=1, ranks)], .true., &
                             graph, ierror)
    call expect(ierror == MPI_SUCCESS, 'graph_create')
    call MPI_Comm_rank(graph, own)
    call MPI_Graph_neighbors_count(graph, own, count)
    call MPI_Graph_neighbors(graph, own, 1, to)
    call expect(count == 1 .and. to(1) == modulo(own + 1, ranks), 'graph_create: neighbours')
    call MPI_Comm_free(graph)
  end subroutine

  ! With a datatype for each block, of which every topology has another number.
  subroutine exchange_blocks()
    type(MPI_Comm) :: comm
    integer :: i, from(2), own, all_others(ranks - 1)
    integer, allocatable :: degrees(:), edges(:)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.false.], .false., comm)
    call MPI_Cart_shift(comm, 0, 1, from(1), from(2))
    call exchange(comm, from, from)
    call MPI_Comm_free(comm)
    all_others = [(i, i=1, ranks - 1)]
    own = merge(1, 0, rank > 0)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, own, [0], [1], merge(ranks - 1, 0, rank == 0), all_others, &
                                        [(1, i=1, ranks - 1)], MPI_INFO_NULL, .false., comm)
    if (rank == 0) call exchange(comm, from(1:0), all_others)
    if (rank > 0) call exchange(comm, [0], from(1:0))
    call MPI_Comm_free(comm)
    degrees = [(merge(0, 2, ranks == 1) - merge(1, 0, i == 0 .and. ranks > 1) - merge(1, 0, i == ranks - 1 .and. ranks > 1), &
                i=0, ranks - 1)]
    edges = [(pack([i - 1, i + 1], [i > 0, i < ranks - 1]), i=0, ranks - 1)]
    call MPI_Graph_create(MPI_COMM_WORLD, ranks, [(sum(degrees(:i)), i=1, ranks)], edges, .false., comm)
    edges = pack([rank - 1, rank + 1], [rank > 0, rank < ranks - 1])
    call exchange(comm, edges, edges)
    call MPI_Comm_free(comm)
  end subroutine

  subroutine exchange(comm, from, to)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: from(:), to(:)
    integer :: sent(size(to)), got(size(from)), i
    sent = 100 * rank + to
    got = -1
    call caucus_neighbor_alltoallw(sent, [(1, i=1, size(to))], [(4_MPI_ADDRESS_KIND * (i - 1), i=1, size(to))], &
                                   [(MPI_INTEGER, i=1, size(to))], got, [(1, i=1, size(from))], &
                                   [(4_MPI_ADDRESS_KIND * (i - 1), i=1, size(from))], [(MPI_INTEGER, i=1, size(from))], comm)
    call expect(all(got == merge(100 * from + rank, -1, from /= MPI_PROC_NULL)), 'blocks from neighbours')
  end subroutine

  ! From blocks to cyclic, three elements a rank.
  subroutine redistribute()
    real(8), asynchronous :: have(3), want(3)
    type(caucus_request) :: request
    integer :: i, step, ierror
    call caucus_redistribute_init(have, 1_MPI_COUNT_KIND, [caucus_index_range(3 * rank, 3)], MPI_DOUBLE_PRECISION, &
                                  want, 3_MPI_COUNT_KIND, [(caucus_index_range(rank + i * ranks, 1), i=0, 2)], &
                                  MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call expect(ierror == MPI_SUCCESS .and. request /= CAUCUS_REQUEST_NULL, 'redistribute_init')
    do step = 1, 2
      have = [(1000 * step + 3 * rank + i, i=0, 2)]
      want = -1
      call caucus_start(request)
      call caucus_wait(request, MPI_STATUS_IGNORE)
      call expect(all(want == [(1000 * step + rank + i * ranks, i=0, 2)]), 'redistribution')
    end do
    call caucus_request_free(request)
    call expect(request == CAUCUS_REQUEST_NULL, 'a request that was freed')
  end subroutine

  subroutine say_what_is_wrong()
    type(MPI_Comm) :: grid
    type(caucus_cart_report_data) :: report
    integer :: ierror
    call caucus_cart_create(MPI_COMM_WORLD, 1, [2 * ranks], [.true.], .true., grid, ierror)
    call expect_error(ierror, MPI_ERR_DIMS, 'caucus_cart_create: ')
    call caucus_cart_create(MPI_COMM_WORLD, -1, [1], [.true.], .true., grid, ierror)
    call expect_error(ierror, MPI_ERR_DIMS, 'ndims is -1')
    call caucus_cart_report(MPI_COMM_WORLD, report, ierror)
    call expect_error(ierror, MPI_ERR_TOPOLOGY, 'caucus_cart_report: ')
    call caucus_graph_create(MPI_COMM_WORLD, 1, [1], [5], .true., grid, ierror)
    call expect_error(ierror, MPI_ERR_RANK, 'caucus_graph_create: ')
    call caucus_comm_attach(MPI_COMM_NULL, ierror)
    call expect_error(ierror, MPI_ERR_COMM, 'MPI_COMM_NULL')
  end subroutine
end program
