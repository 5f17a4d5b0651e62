/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of what MPI_Pack alone would not show: absolute addresses, blocks of several datatypes,
 * a datatype of a million pieces, which takes no memory to speak of, and structures of structures.
 * run: ranks=1 */
#include "schedules.h"

#include "run/layout/layout.h"
#include "run/layout/pattern.h"

/* Absolute addresses: two parts of memory as one datatype. */
static void check_bottom(void) {
    struct caucus_layout layout;
    int one[4] = {1, 2, 3, 4}, lengths[2] = {2, 1}, packed[3];
    double two[2] = {5, 6};
    MPI_Aint at[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT}, type;
    MPI_Get_address(&one[1], &at[0]);
    MPI_Get_address(&two[1], &at[1]);
    MPI_Type_create_struct(2, lengths, at, types, &type);
    CHECK_STATUS(caucus_layout_elements(&layout, MPI_BOTTOM, 1, type));
    MPI_Type_free(&type);
    caucus_layout_pack(&layout, 0, layout.bytes, packed);
    CHECK(packed[0] == 2 && packed[1] == 3 && memcmp(&packed[2], &two[1], 4) == 0, "packed");
    CHECK(caucus_layout_address(&layout, 4, 4) == (char *)&one[2], "address");
    caucus_layout_free(&layout);
}

/* Blocks of one type and of several, empty ones among them. */
static void check_blocks(void) {
    struct caucus_layout layout;
    int data[40], packed[40], at = 0;
    int64_t counts[4] = {3, 0, 2, 1}, displacements[4] = {80, 4, 0, 40};
    MPI_Datatype pairs, types[4];
    for (int i = 0; i < 40; i++)
        data[i] = i;
    MPI_Type_vector(2, 1, 3, MPI_INT, &pairs);
    types[0] = pairs;
    types[1] = MPI_DATATYPE_NULL;
    types[2] = types[3] = MPI_INT;
    CHECK_STATUS(caucus_layout_blocks(&layout, data, 4, counts, displacements, types, false));
    MPI_Type_free(&pairs);
    CHECK(layout.bytes == 9 * 4, "%ld bytes", (long)layout.bytes);
    caucus_layout_pack(&layout, 0, layout.bytes, packed);
    for (int i = 0; i < 3; i++, at += 2)
        CHECK(packed[at] == 20 + 4 * i && packed[at + 1] == 23 + 4 * i, "pair %d", i);
    CHECK(packed[6] == 0 && packed[7] == 1 && packed[8] == 10, "the rest");
    caucus_layout_free(&layout);
    CHECK_STATUS(caucus_layout_blocks(&layout, data, 2, (int64_t[]){2, 3}, (int64_t[]){8, 16},
                                      (MPI_Datatype[]){MPI_INT}, true));
    CHECK(layout.flat && layout.flat_at == 8, "blocks that touch are flat");
    caucus_layout_free(&layout);
}

static int64_t nodes_of(const struct caucus_pattern *pattern) {
    int64_t nodes = 1;
    for (int64_t i = 0;
         pattern->part && i < (pattern->kind == CAUCUS_PATTERN_REPEAT ? 1 : pattern->count); i++)
        nodes += nodes_of(pattern->part[i].pattern);
    return nodes;
}

/* A million pieces take no memory to speak of. */
static void check_many_pieces(void) {
    enum { COUNT = 1000, STRIDE = 3 };
    struct caucus_layout layout;
    MPI_Datatype row, plane;
    char *data = calloc((size_t)COUNT * COUNT * STRIDE, 1), *packed = malloc((size_t)COUNT * COUNT);
    CHECK(data && packed, "no memory");
    for (int i = 0; i < COUNT * COUNT; i++)
        data[i * STRIDE] = (char)(i % 127);
    MPI_Type_vector(COUNT, 1, STRIDE, MPI_CHAR, &row);
    MPI_Type_create_hvector(COUNT, 1, COUNT * STRIDE, row, &plane);
    CHECK_STATUS(caucus_layout_elements(&layout, data, 1, plane));
    CHECK(nodes_of(layout.block[0].map->pattern) < 8, "%ld nodes",
          (long)nodes_of(layout.block[0].map->pattern));
    caucus_layout_pack(&layout, 0, layout.bytes, packed);
    for (int i = 0; i < COUNT * COUNT; i++)
        CHECK(packed[i] == (char)(i % 127), "byte %d", i);
    caucus_layout_free(&layout);
    MPI_Type_free(&plane);
    MPI_Type_free(&row);
    free(data);
    free(packed);
}

/* Whether MPI gives one handle for the two members. */
static bool members_are_one(MPI_Datatype type) {
    int integers[3];
    MPI_Aint addresses[2];
    MPI_Datatype members[2];
    MPI_Type_get_contents(type, 3, 2, 2, integers, addresses, members);
    bool one = members[0] == members[1];
    MPI_Type_free(&members[0]);
    MPI_Type_free(&members[1]);
    return one;
}

/* A structure of two structures, and so on, down to every second byte. */
static void check_structures(void) {
    enum { LEVELS = 12, BYTES = 1 << LEVELS };
    static char data[2 * BYTES], packed[BYTES];
    struct caucus_layout layout;
    MPI_Datatype type;
    for (int i = 0; i < BYTES; i++)
        data[2 * i] = (char)(i % 127);
    MPI_Type_create_resized(MPI_CHAR, 0, 2, &type);
    for (int level = 0; level < LEVELS; level++) {
        const MPI_Aint at[2] = {0, 2 << level};
        const MPI_Datatype members[2] = {type, type};
        MPI_Type_create_struct(2, (int[]){1, 1}, at, members, &type);
        MPI_Type_free(&(MPI_Datatype){members[0]});
    }
    CHECK_STATUS(caucus_layout_elements(&layout, data, 1, type));
    const struct caucus_pattern *pattern = layout.block[0].map->pattern;
    for (int level = 1; level < LEVELS && members_are_one(type); level++) {
        CHECK(pattern->part[0].pattern == pattern->part[1].pattern, "level %d", level);
        pattern = pattern->part[0].pattern;
    }
    caucus_layout_pack(&layout, 0, layout.bytes, packed);
    for (int i = 0; i < BYTES; i++)
        CHECK(packed[i] == (char)(i % 127), "byte %d", i);
    caucus_layout_free(&layout);
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    check_bottom();
    check_blocks();
    check_many_pieces();
    check_structures();
    MPI_Finalize();
    return 0;
}
