! SPDX-License-Identifier: BSD-3-Clause
! The same for each of MPI's interfaces for Fortran: F08, MODULE or neither for mpif.h. Says "right"
! at its end; wrong data ends it with status 3.
#ifdef F08
#define REQUEST_KIND type(MPI_Request)
#define COMM_KIND type(MPI_Comm)
#else
#define REQUEST_KIND integer
#define COMM_KIND integer
#endif
program half_interposed
#ifdef F08
  use mpi_f08
#endif
#ifdef MODULE
  use mpi
#endif
  implicit none
#if !defined F08 && !defined MODULE
  include 'mpif.h'
#endif
  REQUEST_KIND :: requests(1)
  COMM_KIND :: half, inter, grid
  integer :: rank, n, given(3), total(3), way, ierr, place, peers(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
#ifdef PERSISTENT
  call MPI_Allreduce_init(given, total, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &
                          requests(1), ierr)
  do way = 1, 3
    given = rank + way
    total = -1
    call MPI_Start(requests(1), ierr)
    call finish(way)
    call expect(total(2), n * (n - 1) / 2 + n * way)
  end do
  call MPI_Request_free(requests(1), ierr)
#endif
  do way = 1, 3
    given = rank + way
    total = -1
    call MPI_Iallreduce(given, total, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierr)
    call finish(way)
    call expect(total(2), n * (n - 1) / 2 + n * way)
  end do
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierr)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 0, inter, ierr)
  peers = -1
  call MPI_Iallgather(rank, 1, MPI_INTEGER, peers, 1, MPI_INTEGER, inter, requests(1), ierr)
  call finish(1)
  call expect(peers(2), 3 - mod(rank, 2))
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, inter, ierr)
  call expect(total(1), 4 - 2 * mod(rank, 2))
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [n], [.false.], .true., grid, ierr)
  call MPI_Comm_rank(grid, place, ierr)
  call MPI_Allreduce(place, total, 1, MPI_INTEGER, MPI_SUM, grid, ierr)
  call expect(total(1), n * (n - 1) / 2)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'right'
contains
  subroutine finish(way)
    integer, intent(in) :: way
    logical :: flag
    flag = .false.
    if (way == 1) call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
    if (way == 2) call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE, ierr)
    do while (way == 3 .and. .not. flag)
      call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, ierr)
    end do
  end subroutine
  subroutine expect(value, wanted)
    integer, intent(in) :: value, wanted
    if (value /= wanted) then
      print *, 'WRONG:', value, 'instead of', wanted
      error stop 3
    end if
  end subroutine
end program
