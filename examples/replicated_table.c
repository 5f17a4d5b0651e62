/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of metadata, say who owns which file, that every process has a copy of. Any process
 * changes it at any time by a cast; all apply all changes in the same order, so the copies never
 * differ, and of several processes that want to create the same file one wins, the same everywhere.
 *
 *   mpiexec -n 4 replicated_table [changes] [files] */
#include <caucus/caucus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { CREATE, APPEND, REMOVE };

struct change {
    int32_t kind, file, bytes;
};

struct file {
    int32_t owner; /* 0: there is no such file; else a rank + 1 */
    int64_t bytes;
};

struct table {
    int files;
    struct file *file;
    uint64_t digest; /* of all changes in their order */
    int rank;
    long long applied, won, refused; /* won, refused: creations of this process */
};

/* One change, as all processes apply it. A file that is there already is not created again, one
 * that is not there neither grows nor is removed. */
static int apply(struct table *table, int origin, const struct change *change) {
    struct file *file = &table->file[change->file];
    if (change->kind == CREATE && !file->owner)
        *file = (struct file){.owner = origin + 1};
    else if (change->kind == APPEND && file->owner)
        file->bytes += change->bytes;
    else if (change->kind == REMOVE && file->owner)
        *file = (struct file){.owner = 0};
    else
        return 0;
    return 1;
}

static void hear(void *context, const caucus_delivery *delivery) {
    struct table *table = context;
    struct change change;
    memcpy(&change, delivery->bytes, sizeof change);
    int done = apply(table, delivery->origin, &change);
    if (change.kind == CREATE && delivery->origin == table->rank)
        *(done ? &table->won : &table->refused) += 1;
    table->applied++;
    table->digest = table->digest * 6364136223846793005u +
                    (uint64_t)(delivery->origin * 1000 + change.file * 10 + change.kind * 2 + done);
}

static uint64_t digest_of_files(const struct table *table) {
    uint64_t digest = 1;
    for (int i = 0; i < table->files; i++)
        digest = digest * 6364136223846793005u + (uint64_t)table->file[i].owner * 1000003 +
                 (uint64_t)table->file[i].bytes;
    return digest;
}

static int same_everywhere(uint64_t digest) {
    uint64_t least, most;
    MPI_Allreduce(&digest, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&digest, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return least == most;
}

int main(int argc, char **argv) {
    int ranks, changes = argc > 1 ? atoi(argv[1]) : 1000;
    struct table table = {.files = argc > 2 ? atoi(argv[2]) : 50};
    caucus_channel_options options = {
        .deliver = hear, .context = &table, .order = CAUCUS_ORDER_TOTAL};
    caucus_channel channel;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &table.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    table.file = table.files > 0 ? calloc((size_t)table.files, sizeof *table.file) : NULL;
    if (!table.file || changes < 0) {
        fprintf(stderr, "changes must be at least 0, files at least 1\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    srand((unsigned)table.rank + 1);
    caucus_channel_open(MPI_COMM_WORLD, &options, &channel);
    for (int i = 0; i < changes; i++) {
        const struct change change = {rand() % 3, rand() % table.files, rand() % 4096};
        caucus_cast(channel, &change, sizeof change);
    }
    caucus_channel_close(&channel); /* which waits until all have applied all */

    long long own[2] = {table.won, table.refused}, all[2];
    MPI_Allreduce(own, all, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    int same = same_everywhere(table.digest) && same_everywhere(digest_of_files(&table));
    int complete = table.applied == (long long)changes * ranks;
    if (table.rank == 0)
        printf("%lld changes of %d processes to %d files: %lld created, %lld refused, tables %s\n",
               table.applied, ranks, table.files, all[0], all[1],
               same && complete ? "the same everywhere" : "DIFFER");
    free(table.file);
    MPI_Finalize();
    return same && complete ? 0 : 1;
}
