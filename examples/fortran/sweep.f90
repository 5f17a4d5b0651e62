! SPDX-License-Identifier: BSD-3-Clause
! Transport of particles by sweeps, as SNAP does it: a plain MPI program that knows nothing of Caucus
! and lets MPI reorder its grid.
!
!   mpiexec -n 8 sweep [cells along y and z on a rank] [iterations]
!
! The mesh is cut along y and z into a grid of ranks (Koch, Baker and Alcouffe). For each of eight
! octants of directions a wave of work goes through the grid from one corner to the other, in chunks
! along x: a rank gets the fluxes on two faces of a chunk from those before it, and gives those on the
! other faces to those behind it. Scattering couples the directions, so it is iterated. The answer is
! the scalar flux of all cells, in the order of the mesh: the same to the last bit wherever ranks are.
program sweep
    use mpi_f08
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer, parameter :: nx = 16, chunk = 4, angles = 10
    real(real64), parameter :: total = 1.0_real64, scattered = 0.5_real64, cell = 0.1_real64
    integer :: n, iterations, ranks, rank, dims(2), coords(2), below(2), above(2), iteration, octant
    real(real64) :: mu(angles), eta(angles), xi(angles), change, own_change
    real(real64), allocatable :: flux(:, :, :), before(:, :, :), along_x(:, :, :)
    type(MPI_Comm) :: grid

    call MPI_Init()
    n = argument(1, 4)
    iterations = argument(2, 5)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    dims = 0
    call MPI_Dims_create(ranks, 2, dims)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .true., grid)
    call MPI_Comm_rank(grid, rank)
    call MPI_Cart_coords(grid, rank, 2, coords)
    call MPI_Cart_shift(grid, 0, 1, below(1), above(1))
    call MPI_Cart_shift(grid, 1, 1, below(2), above(2))

    call choose_angles()
    allocate (flux(nx, n, n), before(nx, n, n), along_x(angles, n, n))
    flux = 0
    do iteration = 1, iterations
        before = flux
        flux = 0
        do octant = 0, 7
            call sweep_octant(merge(1, -1, btest(octant, 0)), merge(1, -1, btest(octant, 1)), &
                merge(1, -1, btest(octant, 2)))
        end do
        own_change = maxval(abs(flux - before))
        call MPI_Allreduce(own_change, change, 1, MPI_DOUBLE_PRECISION, MPI_MAX, grid)
        if (rank == 0) print '(a,i0,a,es23.16)', 'iteration ', iteration, ': the flux changed by ', change
    end do
    call tell()
    call MPI_Comm_free(grid)
    call MPI_Finalize()

contains

    integer function argument(position, default)
        integer, intent(in) :: position, default
        character(32) :: text
        integer :: length
        argument = default
        call get_command_argument(position, text, length)
        if (length > 0) read (text, *) argument
    end function

    ! Directions of an octant, all of length 1.
    subroutine choose_angles()
        integer :: a
        do a = 1, angles
            mu(a) = (2 * a - 1) / (2.0_real64 * angles)
            eta(a) = sqrt(1 - mu(a)**2) * sqrt(a / (angles + 1.0_real64))
            xi(a) = sqrt(1 - mu(a)**2 - eta(a)**2)
        end do
    end subroutine

    ! From the faces that sx, sy and sz point away from; there is vacuum outside.
    subroutine sweep_octant(sx, sy, sz)
        integer, intent(in) :: sx, sy, sz
        real(real64) :: y_face(angles, chunk, n), z_face(angles, chunk, n)
        integer :: from(2), to(2), first
        from = merge(below, above, [sy, sz] > 0)
        to = merge(above, below, [sy, sz] > 0)
        along_x = 0
        do first = merge(1, nx, sx > 0), merge(nx - chunk + 1, chunk, sx > 0), sx * chunk
            y_face = 0
            z_face = 0
            call MPI_Recv(y_face, size(y_face), MPI_DOUBLE_PRECISION, from(1), 1, grid, MPI_STATUS_IGNORE)
            call MPI_Recv(z_face, size(z_face), MPI_DOUBLE_PRECISION, from(2), 2, grid, MPI_STATUS_IGNORE)
            call solve(first, sx, sy, sz, y_face, z_face)
            call MPI_Send(y_face, size(y_face), MPI_DOUBLE_PRECISION, to(1), 1, grid)
            call MPI_Send(z_face, size(z_face), MPI_DOUBLE_PRECISION, to(2), 2, grid)
        end do
    end subroutine

    ! The cells of a chunk, each after those before it: diamond differences.
    subroutine solve(first, sx, sy, sz, y_face, z_face)
        integer, intent(in) :: first, sx, sy, sz
        real(real64), intent(inout) :: y_face(angles, chunk, n), z_face(angles, chunk, n)
        real(real64) :: psi(angles), source
        integer :: i, j, k, x
        do k = merge(1, n, sz > 0), merge(n, 1, sz > 0), sz
            do j = merge(1, n, sy > 0), merge(n, 1, sy > 0), sy
                do i = 1, chunk
                    x = first + sx * (i - 1)
                    source = 1 + scattered * before(x, j, k)
                    psi = (source + 2 / cell * (mu * along_x(:, j, k) + eta * y_face(:, i, k) + xi * z_face(:, i, j))) &
                        / (total + 2 / cell * (mu + eta + xi))
                    along_x(:, j, k) = 2 * psi - along_x(:, j, k)
                    y_face(:, i, k) = 2 * psi - y_face(:, i, k)
                    z_face(:, i, j) = 2 * psi - z_face(:, i, j)
                    flux(x, j, k) = flux(x, j, k) + sum(psi) / (8 * angles)
                end do
            end do
        end do
    end subroutine

    ! The flux of all cells, as a sum and as a number in which every bit of every cell counts.
    subroutine tell()
        real(real64), allocatable :: all_flux(:, :)
        integer(int64) :: bits, mixed
        integer :: r, i, messages
        allocate (all_flux(size(flux), merge(ranks, 1, rank == 0)))
        call MPI_Gather(flux, size(flux), MPI_DOUBLE_PRECISION, all_flux, size(flux), MPI_DOUBLE_PRECISION, 0, grid)
        if (rank /= 0) return
        mixed = 0
        do r = 1, ranks
            do i = 1, size(flux)
                bits = transfer(all_flux(i, r), bits)
                mixed = ieor(ishftc(mixed, 7), bits)
            end do
        end do
        messages = 8 * iterations * nx / chunk
        print '(a,es23.16,a,z16.16)', 'the flux of all cells adds up to ', sum(all_flux), ', bits ', mixed
        print '(a,i0,a,i0,a,i0,a,i0,a)', 'a grid of ', dims(1), ' by ', dims(2), ': ', messages / 2, &
            ' messages of ', 8 * angles * chunk * n, ' bytes along each edge, each way'
    end subroutine
end program
