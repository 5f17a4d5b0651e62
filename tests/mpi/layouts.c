/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts hold what MPI_Pack packs: for random datatypes of every constructor, nested, with gaps,
 * negative strides and zero counts, and for every part of the packed bytes. Open MPI 5.0.11 is not
 * asked, for its MPI_Pack crashes, as that of MPICH 5.0.2 does for parts without bytes; nor is
 * Intel MPI 2021.18, which packs some of them otherwise than MPICH.
 *
 * run: ranks=1 args=3000 mpi=mpich,abi
 * run: ranks=1 args=3000 env=TEST_DEVICE=cuda mpi=mpich,abi
 * run: ranks=1 args=50000 mpi=mpich full */
#include "buffer_memory.h"
#include "schedules.h"

#include "run/layout/layout.h"

enum { MOST_BYTES = 1 << 18 };

static uint64_t seed = 12345;

static int draw(int low, int high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (int)((seed >> 33) % (uint64_t)(high - low + 1));
}

enum { BASICS = 12 };

static MPI_Datatype basic_at(int i) {
    const MPI_Datatype basic[BASICS] = {
        MPI_CHAR,     MPI_SHORT,     MPI_INT,  MPI_DOUBLE, MPI_DOUBLE_INT, MPI_SHORT_INT,
        MPI_LONG_INT, MPI_FLOAT_INT, MPI_2INT, MPI_BYTE,   MPI_LONG_LONG,  MPI_LONG_DOUBLE_INT};
    return basic[i];
}

static void drop(MPI_Datatype *type) {
    for (int i = 0; i < BASICS; i++)
        if (basic_at(i) == *type)
            return;
    MPI_Type_free(type);
}

static MPI_Datatype draw_type(int depth);

static MPI_Datatype draw_struct(int depth) {
    int blocks = draw(1, 3), lengths[3];
    MPI_Aint displacements[3], at = draw(-8, 8);
    MPI_Datatype types[3], made;
    for (int i = 0; i < blocks; i++) {
        MPI_Aint lower, extent;
        types[i] = draw_type(depth - 1);
        lengths[i] = draw(0, 2);
        MPI_Type_get_true_extent(types[i], &lower, &extent);
        displacements[i] = at - lower;
        MPI_Type_get_extent(types[i], &lower, &extent);
        at += lengths[i] * (extent < 0 ? -extent : extent) + draw(0, 9);
    }
    MPI_Type_create_struct(blocks, lengths, displacements, types, &made);
    for (int i = 0; i < blocks; i++)
        drop(&types[i]);
    return made;
}

static MPI_Datatype draw_indexed(MPI_Datatype old, int kind) {
    int blocks = draw(0, 5), lengths[5], at[5], next = draw(-2, 2);
    MPI_Aint bytes[5], lower, extent;
    MPI_Datatype made;
    MPI_Type_get_extent(old, &lower, &extent);
    int equal = draw(0, 3);
    for (int i = 0; i < blocks; i++) {
        lengths[i] = draw(0, 3);
        at[i] = next;
        bytes[i] = next * extent + draw(0, 1) * 4;
        next += (kind % 2 ? equal : lengths[i]) + draw(0, 2);
    }
    if (blocks > 1 && draw(0, 1)) { /* not in the order of addresses */
        int swap = at[0];
        at[0] = at[blocks - 1];
        at[blocks - 1] = swap;
    }
    if (kind == 0)
        MPI_Type_indexed(blocks, lengths, at, old, &made);
    else if (kind == 1)
        MPI_Type_create_indexed_block(blocks, equal, at, old, &made);
    else if (kind == 2)
        MPI_Type_create_hindexed(blocks, lengths, bytes, old, &made);
    else
        MPI_Type_create_hindexed_block(blocks, equal, bytes, old, &made);
    return made;
}

static bool is_empty(MPI_Datatype type) {
    int size;
    MPI_Type_size(type, &size);
    return size == 0;
}

static MPI_Datatype draw_array(MPI_Datatype old) {
    int axes = draw(1, 3), size[3], part[3], start[3], distribution[3], argument[3], processes[3];
    int order = draw(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, all = 1;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    for (int i = 0; i < axes; i++) {
        size[i] = draw(1, 5);
        part[i] = draw(1, size[i]);
        start[i] = draw(0, size[i] - part[i]);
        distribution[i] =
            (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}[draw(0, 2)];
        processes[i] = distribution[i] == MPI_DISTRIBUTE_NONE ? 1 : draw(1, 3);
        argument[i] = MPI_DISTRIBUTE_DFLT_DARG;
        if (distribution[i] == MPI_DISTRIBUTE_CYCLIC && draw(0, 1))
            argument[i] = draw(1, 3);
        all *= processes[i];
    }
    if (draw(0, 1))
        MPI_Type_create_subarray(axes, size, part, start, order, old, &made);
    else
        MPI_Type_create_darray(all, draw(0, all - 1), axes, size, distribution, argument, processes,
                               order, old, &made);
    return made;
}

#ifdef CAUCUS_TEST_LARGE_TYPES
static MPI_Datatype draw_large(MPI_Datatype old) {
    MPI_Count count = draw(0, 3), length = draw(0, 3), lengths[3] = {1, 2, 1}, at[3] = {0, 3, 9};
    MPI_Count sizes[2] = {4, 5}, parts[2] = {2, 3}, starts[2] = {1, 1};
    int spread[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, processes[2] = {2, 2};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, 1};
    MPI_Datatype types[3] = {old, MPI_INT, old}, made;
    MPI_Count bytes[3] = {-400, 0, 900};
    switch (draw(0, 9)) {
    case 0:
        return MPI_Type_contiguous_c(count, old, &made), made;
    case 1:
        return MPI_Type_vector_c(count, length, 4, old, &made), made;
    case 2:
        return MPI_Type_create_hvector_c(count, length, -500, old, &made), made;
    case 3:
        return MPI_Type_indexed_c(3, lengths, at, old, &made), made;
    case 4:
        return MPI_Type_create_hindexed_c(3, lengths, bytes, old, &made), made;
    case 5:
        return MPI_Type_create_indexed_block_c(3, 2, at, old, &made), made;
    case 6:
        return MPI_Type_create_hindexed_block_c(3, 2, bytes, old, &made), made;
    case 7:
        return MPI_Type_create_struct_c(3, lengths, bytes, types, &made), made;
    case 8:
        return MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_C, old, &made), made;
    default:
        return MPI_Type_create_darray_c(4, draw(0, 3), 2, sizes, spread, arguments, processes,
                                        MPI_ORDER_FORTRAN, old, &made),
               made;
    }
}
#else
static MPI_Datatype draw_large(MPI_Datatype old) {
    MPI_Datatype made;
    MPI_Type_contiguous(draw(0, 3), old, &made);
    return made;
}
#endif

static MPI_Datatype derive(MPI_Datatype old) {
    MPI_Aint lower, extent;
    MPI_Datatype made;
    int kind = draw(0, 11);
    MPI_Type_get_extent(old, &lower, &extent);
    switch (kind) {
    case 0:
        return MPI_Type_contiguous(draw(0, 4), old, &made), made;
    case 1:
        return MPI_Type_vector(draw(0, 4), draw(0, 3), draw(-4, 6), old, &made), made;
    case 2:
        return MPI_Type_create_hvector(draw(0, 4), draw(0, 3), (MPI_Aint)draw(-3, 9) * 16, old,
                                       &made),
               made;
    case 3:
        return MPI_Type_dup(old, &made), made;
    case 4:
        return MPI_Type_create_resized(old, lower - draw(0, 8), extent + draw(0, 24), &made), made;
    case 5:
    case 6:
        return draw_array(old);
    case 7:
        return draw_large(old);
    default:
        return draw_indexed(old, kind - 8);
    }
}

static MPI_Datatype draw_type(int depth) {
    if (depth == 0)
        return basic_at(draw(0, BASICS - 1));
    MPI_Datatype old = draw_type(depth - 1);
    MPI_Datatype made = draw(0, 4) == 0 ? draw_struct(depth) : derive(old);
    if (made == MPI_DATATYPE_NULL) /* not every MPI makes all of them */
        MPI_Type_dup(old, &made);
    drop(&old);
    if (is_empty(made)) {
        MPI_Type_free(&made);
        return basic_at(draw(0, BASICS - 1));
    }
    return made;
}

/* A buffer for count elements: where an address of 0 would be in it. */
struct area {
    unsigned char *memory, *given; /* as the test sees it, and as the layout has it */
    MPI_Aint bytes, origin;
};

static struct area area_for(int count, int element, MPI_Datatype type) {
    MPI_Aint lower, extent, true_lower, true_extent;
    if (count == 0 || element == 0) {
        struct area nothing = {.memory = buffer_new(1), .bytes = 1};
        nothing.given = buffer_address(nothing.memory);
        return nothing;
    }
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    MPI_Aint last = count > 0 ? (count - 1) * extent : 0;
    MPI_Aint begin = true_lower + (last < 0 ? last : 0);
    MPI_Aint end = true_lower + true_extent + (last > 0 ? last : 0);
    struct area area = {.bytes = end - begin + 1, .origin = -begin};
    if (area.bytes <= MOST_BYTES) {
        area.memory = buffer_new((size_t)area.bytes);
        CHECK(area.memory, "no memory");
        memset(area.memory, 0, (size_t)area.bytes);
        area.given = buffer_address(area.memory);
    }
    return area;
}

/* Which byte of the area each packed byte is, as MPI_Pack sees it. */
static void ask_mpi(const struct area *area, int count, MPI_Datatype type, int size, int *source) {
    unsigned char *packed = malloc((size_t)size + 64);
    CHECK(packed, "no memory");
    memset(source, 0, sizeof *source * (size_t)size);
    for (int byte = 0; byte < 3; byte++) {
        int position = 0;
        for (MPI_Aint i = 0; i < area->bytes; i++)
            area->memory[i] = (unsigned char)(i >> 8 * byte);
        MPI_Pack(area->memory + area->origin, count, type, packed, size + 64, &position,
                 MPI_COMM_SELF);
        CHECK(position == size, "%d bytes, not %d", position, size);
        for (int i = 0; i < size; i++)
            source[i] |= packed[i] << 8 * byte;
    }
    free(packed);
}

static bool overlaps(int size, const int *source, MPI_Aint bytes) {
    unsigned char *seen = calloc((size_t)bytes, 1);
    bool twice = false;
    CHECK(seen, "no memory");
    for (int i = 0; i < size; i++)
        twice |= seen[source[i]]++ > 0;
    free(seen);
    return twice;
}

static void check_part(const struct caucus_layout *layout, const struct area *area, int offset,
                       int length, const int *source, bool unpacks) {
    unsigned char *packed = malloc((size_t)length + 1);
    CHECK(packed, "no memory");
    for (MPI_Aint i = 0; i < area->bytes; i++)
        area->memory[i] = (unsigned char)(i * 7 + i / 251);
    CHECK_STATUS(caucus_layout_pack(layout, offset, length, packed));
    for (int i = 0; i < length; i++)
        CHECK(packed[i] == area->memory[source[offset + i]], "byte %d of part %d + %d", i, offset,
              length);
    const unsigned char *at = (unsigned char *)caucus_layout_address(layout, offset, length);
    bool contiguous = true;
    for (int i = 0; i < length; i++)
        contiguous &= source[offset + i] == source[offset] + i;
    CHECK(!at || (contiguous && at == area->given + source[offset]), "a wrong address");
    CHECK(at || !contiguous || length > 1 || layout->on_device,
          "the address of a byte is not known");
    CHECK(layout->on_device == (area->given != area->memory), "whether it is on a device");
    if (unpacks) {
        memset(area->memory, 0, (size_t)area->bytes);
        for (int i = 0; i < length; i++)
            packed[i] = (unsigned char)(1 + i % 255);
        CHECK_STATUS(caucus_layout_unpack(layout, offset, length, packed));
        for (int i = 0; i < length; i++) {
            CHECK(area->memory[source[offset + i]] == packed[i], "byte %d was not unpacked", i);
            area->memory[source[offset + i]] = 0;
        }
        for (MPI_Aint i = 0; i < area->bytes; i++)
            CHECK(area->memory[i] == 0, "byte %ld was touched", (long)i);
    }
    free(packed);
}

static void check_layout(const struct caucus_layout *layout, const struct area *area, int size,
                         const int *source) {
    bool unpacks = !overlaps(size, source, area->bytes);
    check_part(layout, area, 0, size, source, unpacks);
    for (int i = 0; i < 6; i++) {
        int offset = draw(0, size - 1);
        check_part(layout, area, offset, draw(1, size - offset), source, unpacks);
        check_part(layout, area, offset, 1, source, unpacks);
    }
}

static void check_random(void) {
    struct caucus_layout layout;
    int count = draw(0, 3), element;
    MPI_Datatype type = draw_type(draw(1, 3));
    CHECK_MPI(MPI_Type_commit(&type));
    MPI_Type_size(type, &element);
    struct area area = area_for(count, element, type);
    if (area.memory) {
        int size = count * element, *source = malloc(sizeof *source * (size_t)(size + 1));
        CHECK(source, "no memory");
        ask_mpi(&area, count, type, size, source);
        CHECK_STATUS(caucus_layout_elements(&layout, area.given + area.origin, count, type));
        CHECK(layout.bytes == size, "%ld bytes, not %d", (long)layout.bytes, size);
        drop(&type); /* the layout does not need it any more */
        if (size > 0)
            check_layout(&layout, &area, size, source);
        caucus_layout_free(&layout);
        free(source);
    }
    if (type != MPI_DATATYPE_NULL)
        drop(&type);
    buffer_free(area.memory);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int cases = argc > 1 ? atoi(argv[1]) : 1000;
    for (int i = 0; i < cases; i++)
        check_random();
    MPI_Finalize();
    return 0;
}
