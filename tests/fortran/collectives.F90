! SPDX-License-Identifier: BSD-3-Clause
! Every collective of the module caucus in every form, on communicators and on groups, also with
! counts of kind MPI_COUNT_KIND: on communicators by the same names, on groups by those that end with
! _c. On four ranks. Says "right" at its end; wrong data ends it with status 3.

! Barriers have no counts: under the names that the others have with large ones.
module barriers
  use caucus, only: caucus_group_barrier_c => caucus_group_barrier, &
    caucus_group_ibarrier_c => caucus_group_ibarrier, caucus_group_barrier_init_c => caucus_group_barrier_init
end module

program collectives
  use mpi_f08
  use caucus
  use barriers
  implicit none
  integer, parameter :: n = 4
  type(MPI_Comm) :: ring
  type(caucus_group) :: everybody
  integer :: rank, ranks, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  if (ranks /= n) error stop 2
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, modulo([rank - 1, rank + 1], n), MPI_UNWEIGHTED, 2, &
    modulo([rank - 1, rank + 1], n), MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring, ierr)
  call do_nonblocking(MPI_COMM_WORLD) ! is MPI's own, since nothing is attached
  call do_blocking(MPI_COMM_WORLD)
  call do_nonblocking(MPI_COMM_WORLD)
  call do_persistent(MPI_COMM_WORLD)
  call do_blocking_large(MPI_COMM_WORLD)
  call do_nonblocking_large(MPI_COMM_WORLD)
  call do_persistent_large(MPI_COMM_WORLD)
  call caucus_group_from_comm(MPI_COMM_WORLD, everybody)
  call do_group_blocking(everybody)
  call do_group_nonblocking(everybody)
  call do_group_persistent(everybody)
  call do_group_blocking_large(everybody)
  call do_group_nonblocking_large(everybody)
  call do_group_persistent_large(everybody)
  call caucus_group_free(everybody)
  call MPI_Comm_free(ring, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'right'
contains
  subroutine expect(values, wanted, what)
    integer, intent(in) :: values(:), wanted(:)
    character(*), intent(in) :: what
    if (size(values) == size(wanted)) then
      if (all(values == wanted)) return
    end if
    print *, 'WRONG: ', what, ' on rank ', rank, ': ', values, ' instead of ', wanted
    error stop 3
  end subroutine

  subroutine run(request, times)
    type(caucus_request), intent(inout) :: request
    integer, intent(in) :: times
    integer :: i
    do i = 1, times
      call caucus_start(request, ierr)
      call caucus_wait(request, MPI_STATUS_IGNORE, ierr)
    end do
    call caucus_request_free(request, ierr)
  end subroutine

#define PENDING type(caucus_request)
#define HANDLE(kind) type(MPI_/**/kind)

#define OVER type(MPI_Comm)
#define COUNTS kind(0)
#define PLACES kind(0)
#define NAMED(x) x/**/_blocking
#define F(name) caucus_/**/name
#define ON(comm) comm, ierr
#define FINISH(times) continue
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_nonblocking
#define F(name) caucus_/**/i/**/name
#define ON(comm) comm, request, ierr
#define FINISH(times) call caucus_wait(request, MPI_STATUS_IGNORE, ierr)
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_persistent
#define F(name) caucus_/**/name/**/_init
#define ON(comm) comm, MPI_INFO_NULL, request, ierr
#define FINISH(times) call run(request, times)
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#undef COUNTS
#undef PLACES
#define COUNTS MPI_COUNT_KIND
#define PLACES MPI_ADDRESS_KIND
#define NAMED(x) x/**/_blocking_large
#define F(name) caucus_/**/name
#define ON(comm) comm, ierr
#define FINISH(times) continue
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_nonblocking_large
#define F(name) caucus_/**/i/**/name
#define ON(comm) comm, request, ierr
#define FINISH(times) call caucus_wait(request, MPI_STATUS_IGNORE, ierr)
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_persistent_large
#define F(name) caucus_/**/name/**/_init
#define ON(comm) comm, MPI_INFO_NULL, request, ierr
#define FINISH(times) call run(request, times)
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH

#define ALONE 1
#undef OVER
#define OVER type(caucus_group)
#undef COUNTS
#undef PLACES
#define COUNTS kind(0)
#define PLACES kind(0)
#define NAMED(x) x/**/_group_blocking
#define F(name) caucus_/**/group_/**/name
#define ON(comm) comm, ierr
#define FINISH(times) continue
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_group_nonblocking
#define F(name) caucus_/**/group_/**/i/**/name
#define ON(comm) comm, request, ierr
#define FINISH(times) call caucus_wait(request, MPI_STATUS_IGNORE, ierr)
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_group_persistent
#define F(name) caucus_/**/group_/**/name/**/_init
#define ON(comm) comm, MPI_INFO_NULL, request, ierr
#define FINISH(times) call run(request, times)
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#undef COUNTS
#undef PLACES
#define COUNTS MPI_COUNT_KIND
#define PLACES MPI_ADDRESS_KIND
#define NAMED(x) x/**/_group_blocking_large
#define F(name) caucus_/**/group_/**/name/**/_c
#define ON(comm) comm, ierr
#define FINISH(times) continue
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_group_nonblocking_large
#define F(name) caucus_/**/group_/**/i/**/name/**/_c
#define ON(comm) comm, request, ierr
#define FINISH(times) call caucus_wait(request, MPI_STATUS_IGNORE, ierr)
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_group_persistent_large
#define F(name) caucus_/**/group_/**/name/**/_init/**/_c
#define ON(comm) comm, MPI_INFO_NULL, request, ierr
#define FINISH(times) call run(request, times)
#include "../dropin/fortran/collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
end program
