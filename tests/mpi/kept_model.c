/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that were measured are kept, and read again as they were; "none" keeps nothing, and what
 * can't be kept is said if the user named the folder.
 *
 * run: ranks=1 env=CAUCUS_CACHE=kept/below args=written
 * run: ranks=1 env=CAUCUS_CACHE=none args=left
 * run: ranks=1 env=CAUCUS_CACHE=/dev/null/below args=left output="can't be written: other runs"
 * run: ranks=1 env=CAUCUS_CACHE= env=XDG_CACHE_HOME=/dev/null/a args=left output="is said" */
#include "check.h"

#include "run/measure/kept.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Of nothing but what the name of the file is made of. */
static struct caucus_attachment made_up(int nodes, int ranks_of_one) {
    struct caucus_attachment attachment = {.local_size = ranks_of_one};
    attachment.nodes.count = nodes;
    return attachment;
}

static int count_files(void) {
    int count = 0;
    DIR *folder = opendir(getenv("CAUCUS_CACHE"));
    CHECK(folder, "there is no folder");
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static bool is_empty(const char *path) {
    FILE *file = fopen(path, "r");
    bool empty = file && fgetc(file) == EOF;
    if (file)
        fclose(file);
    return empty;
}

/* Without a word. */
static void check_written(struct caucus_model model) {
    struct caucus_attachment two = made_up(2, 4), three = made_up(3, 4), fewer = made_up(2, 3);
    struct caucus_model found = {0};
    CHECK(!caucus_kept_read(&two, CAUCUS_KEPT_ALL, &found), "something is kept");
    CHECK(freopen("said", "w", stderr), "no file");
    caucus_kept_write(&two, CAUCUS_KEPT_ALL, &model);
    CHECK(count_files() == 1, "%d files", count_files());
    CHECK(caucus_kept_read(&two, CAUCUS_KEPT_ALL, &found), "nothing is kept");
    CHECK(memcmp(&found, &model, sizeof model) == 0, "other figures");
    CHECK(!caucus_kept_read(&three, CAUCUS_KEPT_ALL, &found), "figures of another number of nodes");
    CHECK(!caucus_kept_read(&fewer, CAUCUS_KEPT_ALL, &found), "figures of another number of ranks");
    CHECK(!caucus_kept_read(&two, CAUCUS_KEPT_MESSAGES, &found) &&
              !caucus_kept_read(&two, CAUCUS_KEPT_NOTHING, &found),
          "figures of nodes that others do not measure");
    setenv("UCX_TLS", "tcp", 1);
    CHECK(!caucus_kept_read(&two, CAUCUS_KEPT_ALL, &found), "figures of another fabric");
    unsetenv("UCX_TLS");
    model.card_byte *= 2;
    caucus_kept_write(&two, CAUCUS_KEPT_ALL, &model);
    caucus_kept_write(&three, CAUCUS_KEPT_ALL, &model);
    CHECK(count_files() == 2, "%d files", count_files());
    CHECK(caucus_kept_read(&two, CAUCUS_KEPT_ALL, &found) && found.card_byte == model.card_byte,
          "old figures");
    fflush(stderr);
    CHECK(is_empty("said"), "it said something");
}

static void check_left(const struct caucus_model *model) {
    struct caucus_attachment two = made_up(2, 4);
    struct caucus_model found = {0};
    caucus_kept_write(&two, CAUCUS_KEPT_ALL, model);
    CHECK(!caucus_kept_read(&two, CAUCUS_KEPT_ALL, &found), "something is kept");
}

int main(int argc, char **argv) {
    struct caucus_model model;
    MPI_Init(&argc, &argv);
    CHECK(argc > 1, "what becomes of it?");
    caucus_model_default(&model);
    if (strcmp(argv[1], "written") == 0)
        check_written(model);
    else
        check_left(&model);
    const char *folder = getenv("CAUCUS_CACHE");
    if (!folder || !*folder)
        printf("nothing is said\n");
    MPI_Finalize();
    return 0;
}
