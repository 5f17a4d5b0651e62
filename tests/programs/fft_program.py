# SPDX-License-Identifier: BSD-3-Clause
"""A spectral computation with mpi4py-fft on grids of pencils, whose communicators come from
MPI_Cart_create with reordering: transforms, multiplies, transforms back, changes the distribution.
Prints a digest of all results, put together in the order of the global arrays."""

import hashlib

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

SHAPE = (12, 15, 20)


def field(part):
    """A value for each global index, the same on any number of ranks."""
    z, y, x = np.ogrid[part]
    return np.sin(0.3 * z + 0.1) * np.cos(0.7 * y) + ((3 * x + 5 * y + 7 * z) % 11) / 11


def whole(comm, array):
    """The global array on rank 0."""
    parts = comm.gather((array.local_slice(), np.array(array)))
    if comm.rank > 0:
        return None
    result = np.empty(array.global_shape, array.dtype)
    filled = np.zeros(array.global_shape, int)
    for place, part in parts:
        result[place] = part
        filled[place] += 1
    assert (filled == 1).all(), "some cells belong to nobody, or to several ranks"
    return result


def compute(comm, grid, dtype):
    """Digests of the spectrum and of what comes back; exactness is checked against numpy."""
    fft = PFFT(comm, SHAPE, dtype=dtype, grid=grid, planner_effort="FFTW_ESTIMATE")
    data = newDistArray(fft, False)
    data[:] = field(data.local_slice())
    spectrum = fft.forward(data, newDistArray(fft, True))
    found, given = whole(comm, spectrum), whole(comm, data)
    moved = whole(comm, data.redistribute(0))
    back = whole(comm, fft.backward(spectrum, newDistArray(fft, False)))
    fft.destroy()
    if comm.rank > 0:
        return []
    transform = np.fft.rfftn if dtype is float else np.fft.fftn
    assert np.allclose(found, transform(given) / given.size), "the spectrum is wrong"
    assert np.allclose(back, given), "the inverse transform is wrong"
    assert (moved == given).all(), "the redistributed array is wrong"
    return [hashlib.sha256(array.tobytes()).hexdigest() for array in (found, back, moved)]


def main():
    comm = MPI.COMM_WORLD
    digests = []
    for grid in ([-1], [0, 0, 1], [0, 1, 1], [1, 0, 1]):
        for dtype in (float, complex):
            digests += compute(comm, grid, dtype)
    if comm.rank == 0:
        print("digest", hashlib.sha256("".join(digests).encode()).hexdigest())


if __name__ == "__main__":
    main()
