! SPDX-License-Identifier: BSD-3-Clause
!> Tells C where the constants of mpi_f08 lie that are known by their addresses.
module caucus_constants
    use mpi_f08, only: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE, &
        MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY
    implicit none
    private

    interface
        subroutine caucus_f_keep_constants(bottom, in_place, status_ignore, statuses_ignore, &
            unweighted, weights_empty) bind(C)
            type(*), intent(in) :: bottom, in_place, status_ignore
            type(*), intent(in) :: statuses_ignore(*), unweighted(*), weights_empty(*)
        end subroutine
    end interface

contains

    subroutine tell() bind(C, name='caucus_f_tell_constants')
        call caucus_f_keep_constants(MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE, &
            MPI_STATUSES_IGNORE, MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY)
    end subroutine

end module
