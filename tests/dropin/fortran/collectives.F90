! SPDX-License-Identifier: BSD-3-Clause
! Every collective in every form by one of the interfaces of interface.inc: blocking, nonblocking
! and, with PERSISTENT, persistent; with LARGE, also with counts of kind MPI_COUNT_KIND. On four
! ranks. Says "right" at its end; wrong data ends it with status 3.
#include "interface.inc"
program collectives
  USE_MPI
  implicit none
#ifdef INCLUDES
  include 'mpif.h'
#endif
  integer, parameter :: n = 4
  HANDLE(Comm) :: ring
  integer :: rank, ranks, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  if (ranks /= n) error stop 2
  ! A grid would do, but for one fault of MPICH 4.0.2: see docs/results/half-interposed.md.
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, modulo([rank - 1, rank + 1], n), MPI_UNWEIGHTED, 2, &
    modulo([rank - 1, rank + 1], n), MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring, ierr)
  call do_blocking(MPI_COMM_WORLD)
  call do_nonblocking(MPI_COMM_WORLD)
#ifdef PERSISTENT
  call do_persistent(MPI_COMM_WORLD)
#endif
#ifdef LARGE
  call do_blocking_large(MPI_COMM_WORLD)
  call do_nonblocking_large(MPI_COMM_WORLD)
  call do_persistent_large(MPI_COMM_WORLD)
#endif
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
#ifdef PERSISTENT
  subroutine run(request, times)
    HANDLE(Request), intent(inout) :: request
    integer, intent(in) :: times
    integer :: i
    do i = 1, times
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    end do
    call MPI_Request_free(request, ierr)
  end subroutine
#endif

#define OVER HANDLE(Comm)
#define PENDING HANDLE(Request)
#define COUNTS kind(0)
#define PLACES kind(0)
#define NAMED(x) x/**/_blocking
#define F(name) MPI_/**/name
#define ON(comm) comm, ierr
#define FINISH(times) continue
#include "collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_nonblocking
#define F(name) MPI_I/**/name
#define ON(comm) comm, request, ierr
#define FINISH(times) call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
#include "collectives.inc"
#ifdef PERSISTENT
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_persistent
#define F(name) MPI_/**/name/**/_init
#define ON(comm) comm, MPI_INFO_NULL, request, ierr
#define FINISH(times) call run(request, times)
#include "collectives.inc"
#endif

#ifdef LARGE
#undef COUNTS
#undef PLACES
#define COUNTS MPI_COUNT_KIND
#define PLACES MPI_ADDRESS_KIND
#undef NAMED
#define NAMED(x) x/**/_persistent_large
#include "collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_blocking_large
#define F(name) MPI_/**/name
#define ON(comm) comm, ierr
#define FINISH(times) continue
#include "collectives.inc"
#undef NAMED
#undef F
#undef ON
#undef FINISH
#define NAMED(x) x/**/_nonblocking_large
#define F(name) MPI_I/**/name
#define ON(comm) comm, request, ierr
#define FINISH(times) call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
#include "collectives.inc"
#endif
end program
