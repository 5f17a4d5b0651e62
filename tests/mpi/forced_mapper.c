/* SPDX-License-Identifier: BSD-3-Clause */
/* A mapper that is forced and not taken, as it does not serve the grid or saves nothing: ranks
 * stay, and rank 0 warns of it once. Arguments: the cells of the line, the mapper of the report.
 *
 * run: ranks=9 args="9 given" env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CART_MAPPER=nodecart
 * run: ranks=9 args="9 given" env=CAUCUS_NODES=5,4 env=CAUCUS_CART_MAPPER=nodecart
 * run: ranks=9 args="8 given" env=CAUCUS_NODES=2,3,4 env=CAUCUS_CART_MAPPER=nodecart
 * run: ranks=9 args="8 nodecart" env=CAUCUS_NODES=1,4,4 env=CAUCUS_CART_MAPPER=nodecart
 * run: ranks=8 args="8 given" env=CAUCUS_NODES=2x4 env=CAUCUS_CART_MAPPER=slabs
 * run: ranks=8 args="8 given" env=CAUCUS_NODES=2x4 env=CAUCUS_CART_MAPPER=slabs
 *      env=CAUCUS_CART_CENTRAL=0
 * run: ranks=8 args="8 slabs" env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CART_MAPPER=slabs
 *      env=CAUCUS_CART_CENTRAL=0 */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>
#include <unistd.h>

/* How many warnings this rank writes while a line of so many cells is made. */
static int make(int cells, MPI_Comm *line) {
    FILE *file = tmpfile();
    CHECK(file, "there is no temporary file");
    int kept = dup(STDERR_FILENO), periods[] = {0}, warnings = 0;
    char words[1024];
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    int code = caucus_cart_create(MPI_COMM_WORLD, 1, &cells, periods, 1, line);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    CHECK_MPI(code);
    CHECK(fseek(file, 0, SEEK_SET) == 0, "the file cannot be read");
    while (fgets(words, sizeof words, file))
        warnings += strstr(words, "caucus: warning") != NULL;
    fclose(file);
    return warnings;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    CHECK(argc == 3, "two arguments are wanted");
    int cells = atoi(argv[1]), stays = !strcmp(argv[2], "given"), rank = world_rank(), place = -1;
    MPI_Comm line;
    int warnings = make(cells, &line), expected = stays && rank == 0;
    CHECK(warnings == expected, "%d warnings, not %d", warnings, expected);
    if (line != MPI_COMM_NULL) {
        caucus_cart_report_data report;
        CHECK_MPI(caucus_cart_report(line, &report));
        CHECK(!strcmp(report.mapper, argv[2]), "%s", report.mapper);
        MPI_Comm_rank(line, &place);
        MPI_Comm_free(&line);
    }
    CHECK(!stays || place == (rank < cells ? rank : -1), "rank %d has cell %d", rank, place);
    MPI_Finalize();
    return 0;
}
