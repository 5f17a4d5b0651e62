/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Sendrecv_replace of more than 4 GiB to and from nobody while a collective of Caucus is
 * active. MPI's int holds no such length: of 4 GiB and 16 bytes Open MPI 5.0.11 says that they take
 * 16 when they are packed, and MPICH 5.0.2 a negative number. With large counts it is packed by
 * these; without, it is left to MPI whole. No data moves: this program's functions come before
 * MPI's.
 *
 * run: ranks=2 preload
 * start: own (what replaces PMPI functions must be the program) */
#include "persistent.h"

#if HAS_PERSISTENT
enum { GO = 4 };
static const long long LENGTH = (1LL << 32) + 16;

static int packed, packed_large, left;

int PMPI_Pack(const void *buffer, int count, MPI_Datatype type, void *to, int room, int *position,
              MPI_Comm comm) {
    (void)buffer, (void)count, (void)type, (void)to, (void)room, (void)comm;
    packed++;
    *position = 0;
    return MPI_SUCCESS;
}

#if MPI_VERSION >= 4
enum { HAS_LARGE = 1 };

int PMPI_Pack_c(const void *buffer, MPI_Count count, MPI_Datatype type, void *to, MPI_Count room,
                MPI_Count *position, MPI_Comm comm) {
    (void)buffer, (void)count, (void)type, (void)to, (void)comm;
    CHECK(room >= LENGTH, "room for %lld", (long long)room);
    packed_large++;
    *position = 0;
    return MPI_SUCCESS;
}
#else
enum { HAS_LARGE = 0 };
#endif

int PMPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int send_tag,
                          int from, int receive_tag, MPI_Comm comm, MPI_Status *status) {
    (void)buffer, (void)count, (void)type, (void)to, (void)send_tag, (void)from;
    (void)receive_tag, (void)comm, (void)status;
    left++;
    return MPI_SUCCESS;
}

/* Blocks that lie upon one another, so that no memory is needed. */
static MPI_Datatype long_type(void) {
    MPI_Datatype part, tail, made;
    MPI_Type_create_hvector(1 << 16, 1 << 16, 0, MPI_CHAR, &part);
    MPI_Type_contiguous(16, MPI_CHAR, &tail);
    MPI_Type_create_struct(2, (const int[]){1, 1}, (const MPI_Aint[]){0, 0},
                           (const MPI_Datatype[]){part, tail}, &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&part);
    MPI_Type_free(&tail);
    return made;
}

static void replace(void) {
    char *buffer = calloc(1, 1 << 16), *room = malloc((size_t)LENGTH + 1);
    MPI_Datatype type = long_type();
    CHECK_MPI(MPI_Sendrecv_replace(buffer, 1, type, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0,
                                   MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(packed == 0, "packed by an int");
    CHECK(packed_large + left == 1, "packed %d times, left %d times", packed_large, left);
    CHECK(!room || packed_large == HAS_LARGE, "left %d times", left);
    MPI_Type_free(&type);
    free(room);
    free(buffer);
}

int main(int argc, char **argv) {
    int in = 1, sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (world_rank() > 0)
        MPI_Recv(NULL, 0, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    if (world_rank() == 0) {
        replace();
        MPI_Send(NULL, 0, MPI_INT, 1, GO, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == 2, "%d", sum);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
