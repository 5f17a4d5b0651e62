/* SPDX-License-Identifier: BSD-3-Clause */
/* A distributed array in the manner of Global Arrays, owned by some of the processes while the rest
 * does something else: the members make a group by themselves, a communicator of it, and a window
 * on that. Any member gets, puts or adds to any part of the array, and all together write it to a
 * file and read it back.
 *
 *   mpiexec -n 5 global_array [elements] [file] */
#include <caucus/caucus.h>

#include <stdio.h>
#include <stdlib.h>

/* Blocks of equal length, the last one shorter. */
struct array {
    MPI_Comm comm;
    MPI_Win window;
    long length, block;
    double *own; /* this process's block */
};

static long begin_of(const struct array *array, int rank) {
    long begin = rank * array->block;
    return begin < array->length ? begin : array->length;
}

static void array_create(struct array *array, MPI_Comm comm, long length) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    *array = (struct array){.comm = comm, .length = length, .block = (length + size - 1) / size};
    long own = begin_of(array, rank + 1) - begin_of(array, rank);
    MPI_Win_allocate((MPI_Aint)(own * (long)sizeof(double)), sizeof(double), MPI_INFO_NULL, comm,
                     (void *)&array->own, &array->window);
    MPI_Win_lock_all(0, array->window);
    for (long i = 0; i < own; i++)
        array->own[i] = 0;
    MPI_Win_sync(array->window);
    MPI_Barrier(comm);
}

static void array_free(struct array *array) {
    MPI_Win_unlock_all(array->window);
    MPI_Win_free(&array->window);
    MPI_Comm_free(&array->comm);
}

enum how { GET, PUT, ADD };

/* Elements first to first + count - 1, wherever they are; done when it returns. */
static void array_access(const struct array *array, enum how how, long first, long count,
                         double *values) {
    while (count > 0) {
        int owner = (int)(first / array->block);
        long end = begin_of(array, owner + 1), here = first + count < end ? count : end - first;
        MPI_Aint place = (MPI_Aint)(first - begin_of(array, owner));
        int n = (int)here;
        if (how == GET)
            MPI_Get(values, n, MPI_DOUBLE, owner, place, n, MPI_DOUBLE, array->window);
        else if (how == PUT)
            MPI_Put(values, n, MPI_DOUBLE, owner, place, n, MPI_DOUBLE, array->window);
        else
            MPI_Accumulate(values, n, MPI_DOUBLE, owner, place, n, MPI_DOUBLE, MPI_SUM,
                           array->window);
        MPI_Win_flush(owner, array->window);
        first += here;
        values += here;
        count -= here;
    }
}

/* All that was put or added is there, for all. */
static void array_sync(const struct array *array) {
    MPI_Win_sync(array->window);
    MPI_Barrier(array->comm);
    MPI_Win_sync(array->window);
}

/* Every process its own block; all call. */
static int array_file(const struct array *array, const char *path, int writes) {
    MPI_File file;
    int rank, mode = writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    MPI_Comm_rank(array->comm, &rank);
    long begin = begin_of(array, rank), own = begin_of(array, rank + 1) - begin;
    int code = MPI_File_open(array->comm, path, mode, MPI_INFO_NULL, &file);
    if (code != MPI_SUCCESS)
        return code;
    MPI_Offset place = (MPI_Offset)(begin * (long)sizeof(double));
    code = writes ? MPI_File_write_at_all(file, place, array->own, (int)own, MPI_DOUBLE,
                                          MPI_STATUS_IGNORE)
                  : MPI_File_read_at_all(file, place, array->own, (int)own, MPI_DOUBLE,
                                         MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return code;
}

/* The sum of all elements, which one process reads whole. */
static double sum_of(const struct array *array) {
    double *all = malloc((size_t)array->length * sizeof(double)), sum = 0;
    array_access(array, GET, 0, array->length, all);
    for (long i = 0; i < array->length; i++)
        sum += all[i];
    free(all);
    return sum;
}

/* By the members alone; returns how many figures are wrong. */
static int work(MPI_Comm comm, long length, const char *path) {
    struct array array;
    int rank, size, wrong = 0;
    double *values = malloc((size_t)length * sizeof(double));
    array_create(&array, comm, length);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (long i = 0; i < length; i++)
        values[i] = (double)i;
    if (rank == 0) /* all of it, by one */
        array_access(&array, PUT, 0, length, values);
    array_sync(&array);
    for (long i = 0; i < length; i++) /* all add to all of it at the same time */
        values[i] = 1;
    array_access(&array, ADD, 0, length, values);
    array_sync(&array);
    double expected = 0.5 * (double)(length - 1) * (double)length + (double)size * (double)length;
    wrong += sum_of(&array) != expected;
    array_sync(&array);
    wrong += array_file(&array, path, 1) != MPI_SUCCESS;
    for (long i = 0; i < length; i++)
        values[i] = 0;
    MPI_Barrier(comm);
    if (rank == size - 1)
        array_access(&array, PUT, 0, length, values);
    array_sync(&array);
    wrong += array_file(&array, path, 0) != MPI_SUCCESS;
    array_sync(&array);
    wrong += sum_of(&array) != expected;
    if (rank == 0)
        printf("%d members, %ld elements, sum %.0f, %d wrong\n", size, length, expected, wrong);
    array_sync(&array);
    array_free(&array);
    free(values);
    return wrong;
}

int main(int argc, char **argv) {
    long length = argc > 1 ? atol(argv[1]) : 1000;
    const char *path = argc > 2 ? argv[2] : "global_array.dat";
    int size, wrong = 0;
    caucus_group members;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    caucus_comm_attach(MPI_COMM_WORLD);
    /* Every second process; to the others nothing happens. */
    caucus_group_create_range(MPI_COMM_WORLD, 0, size - 1, 2, &members);
    if (members != CAUCUS_GROUP_NULL) {
        caucus_group_to_comm(members, &comm);
        caucus_group_free(&members);
        wrong = work(comm, length > 0 ? length : 1, path);
    }
    MPI_Finalize();
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
