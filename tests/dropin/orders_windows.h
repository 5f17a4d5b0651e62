/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows and files: cases for orders.h. What takes several calls is made ready by make_windows. */
#ifndef TESTS_DROPIN_ORDERS_WINDOWS_H
#define TESTS_DROPIN_ORDERS_WINDOWS_H

#include "orders.h"

static MPI_Win kept_window;
static MPI_File kept_file;
static int cell, *of_window;

static void make_windows(void) {
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &kept_window);
    MPI_File_open(MPI_COMM_WORLD, "kept", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &kept_file);
}

static void free_windows(void) {
    MPI_Win_free(&kept_window);
    MPI_File_close(&kept_file);
}

static void win_create(void) {
    MPI_Win window;
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
}

static void win_allocate(void) {
    MPI_Win window;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &of_window, &window);
    MPI_Win_free(&window);
}

static void win_allocate_shared(void) {
    MPI_Win window;
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, node, &of_window, &window);
    MPI_Win_free(&window);
    MPI_Comm_free(&node);
}

static void win_create_dynamic(void) {
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
}

static void win_fence(void) {
    int rank = world_rank(), size = world_size();
    MPI_Win_fence(0, kept_window);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, kept_window);
    MPI_Win_fence(0, kept_window);
    CHECK(cell == (rank + size - 1) % size, "%d", cell);
}

/* Rank 0 waits for the last rank by tests alone, and that one for rank 0's post by a message: in
 * MPI_Win_start it would hold the collective up, which is a fault that is left. */
static void win_test(void) {
    int rank = world_rank(), size = world_size(), done = 0;
    MPI_Group all, others;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){rank > 0 ? 0 : size - 1}, &others);
    if (rank == 0) {
        MPI_Win_post(others, 0, kept_window);
        MPI_Send(NULL, 0, MPI_INT, size - 1, 9, MPI_COMM_WORLD);
        while (!done)
            MPI_Win_test(kept_window, &done);
    } else if (rank == size - 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_start(others, 0, kept_window);
        MPI_Win_complete(kept_window);
    }
    MPI_Group_free(&others);
    MPI_Group_free(&all);
}

static void file_open(void) {
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "opened", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
}

static void file_set(void) {
    MPI_File_set_size(kept_file, 0);
    MPI_File_preallocate(kept_file, 256);
    MPI_File_sync(kept_file);
    MPI_File_set_atomicity(kept_file, 0);
}

static void file_all(void) {
    int rank = world_rank(), read = -1;
    MPI_Offset own = (MPI_Offset)rank * (MPI_Offset)sizeof rank;
    MPI_File_set_view(kept_file, own, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_all(kept_file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(kept_file, 0, &read, 1, MPI_INT, MPI_STATUS_IGNORE);
    CHECK(read == rank, "%d", read);
    MPI_File_set_view(kept_file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
}

static void file_split(void) {
    int rank = world_rank();
    MPI_Offset own = (MPI_Offset)rank * (MPI_Offset)sizeof rank;
    MPI_File_write_at_all_begin(kept_file, own, &rank, sizeof rank, MPI_BYTE);
    MPI_File_write_at_all_end(kept_file, &rank, MPI_STATUS_IGNORE);
}

#define WINDOW_CASES                                                                               \
    {"MPI_Win_create", win_create}, {"MPI_Win_allocate", win_allocate},                            \
        {"MPI_Win_allocate_shared", win_allocate_shared},                                          \
        {"MPI_Win_create_dynamic", win_create_dynamic}, {"MPI_Win_fence", win_fence},              \
        {"MPI_Win_test", win_test}, {"MPI_File_open", file_open},                                  \
        {"MPI_File_set_size and others", file_set}, {"MPI_File_write_all and others", file_all}, { \
        "MPI_File_write_at_all_begin", file_split                                                  \
    }

#endif
