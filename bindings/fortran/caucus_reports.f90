! SPDX-License-Identifier: BSD-3-Clause
!> Reports of grids and graphs, with texts and logicals of Fortran.
module caucus_reports
    use, intrinsic :: iso_c_binding, only: c_int, c_null_char
    use mpi_f08, only: MPI_Comm
    use caucus_types, only: caucus_cart_report_data, caucus_f_cart_report_data
    implicit none
    private
    public :: caucus_cart_report, caucus_graph_report

    interface
        subroutine caucus_f_cart_report(comm_cart, report, ierror) &
            bind(C, name='caucus_f_cart_report')
            import
            type(MPI_Comm), intent(in) :: comm_cart
            type(caucus_f_cart_report_data), intent(inout) :: report
            integer(c_int), optional, intent(out) :: ierror
        end subroutine

        subroutine caucus_f_graph_report(comm_graph, report, ierror) &
            bind(C, name='caucus_f_graph_report')
            import
            type(MPI_Comm), intent(in) :: comm_graph
            type(caucus_f_cart_report_data), intent(inout) :: report
            integer(c_int), optional, intent(out) :: ierror
        end subroutine
    end interface

contains

    !> Measures the traffic between nodes of a Cartesian communicator.
    subroutine caucus_cart_report(comm_cart, report, ierror)
        type(MPI_Comm), intent(in) :: comm_cart
        type(caucus_cart_report_data), intent(out) :: report
        integer(c_int), optional, intent(out) :: ierror
        type(caucus_f_cart_report_data) :: raw
        call caucus_f_cart_report(comm_cart, raw, ierror)
        report = report_of(raw)
    end subroutine

    !> Measures the traffic between nodes of a communicator with the topology of a graph.
    subroutine caucus_graph_report(comm_graph, report, ierror)
        type(MPI_Comm), intent(in) :: comm_graph
        type(caucus_cart_report_data), intent(out) :: report
        integer(c_int), optional, intent(out) :: ierror
        type(caucus_f_cart_report_data) :: raw
        call caucus_f_graph_report(comm_graph, raw, ierror)
        report = report_of(raw)
    end subroutine

    pure function report_of(raw) result(report)
        type(caucus_f_cart_report_data), intent(in) :: raw
        type(caucus_cart_report_data) :: report
        integer :: i
        report%nodes = raw%nodes
        do i = 1, size(raw%mapper)
            if (raw%mapper(i) == c_null_char) exit
            report%mapper(i:i) = raw%mapper(i)
        end do
        report%bound = raw%bound
        report%given = raw%given
        report%placed = raw%placed
        report%rank0_kept = raw%rank0_kept /= 0
        report%rank0_cost = raw%rank0_cost
    end function

end module
