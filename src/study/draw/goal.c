/* SPDX-License-Identifier: BSD-3-Clause */
/* GOAL text. Labels count the lines of a rank; a step of several labels is joined by an empty calc,
 * so that dependencies are as many as labels. Tags number the messages of a pair of ranks, so that
 * whatever order they arrive in each meets its own receive. */
#include "base/memory.h"
#include "base/status.h"
#include "study/draw/goal_flags.h"
#include "study/draw/scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    const struct caucus_scene *scene;
    struct caucus_goal_flags flags;
    FILE *file;
    int32_t *sent, *received; /* messages so far, of the rank that is written, by peer */
    int64_t label;            /* used last */
};

static void write_message(struct writer *writer, const char *what, const char *direction,
                          int64_t bytes, int32_t peer, int64_t tag) {
    fprintf(writer->file, "l%" PRId64 ": %s %" PRId64 "b %s %d tag %" PRId64 "\n", ++writer->label,
            what, bytes, direction, peer, tag);
}

static void write_calc(struct writer *writer, double seconds) {
    fprintf(writer->file, "l%" PRId64 ": calc %.0f\n", ++writer->label, seconds * 1e9);
}

/* One message to each rank that awaits this value. */
static void write_flags(struct writer *writer, const struct caucus_goal_flag *flags, int64_t count,
                        bool raises) {
    for (int64_t i = 0; i < count; i++)
        if (raises)
            write_message(writer, "send", "to", 1, flags[i].waiter, flags[i].tag);
        else
            write_message(writer, "recv", "from", 1, flags[i].owner, flags[i].tag);
    if (count == 0)
        write_calc(writer, 0);
}

static void write_operation(struct writer *writer, int32_t rank, int64_t index) {
    const struct caucus_operation *operation = &writer->scene->schedules[rank].operations[index];
    const struct caucus_model *model = writer->scene->model;
    const struct caucus_goal_flag *flags;
    double bytes = (double)operation->length;
    int64_t count;
    switch (operation->kind) {
    case CAUCUS_OPERATION_SEND:
        write_message(writer, "send", "to", operation->length, operation->peer,
                      writer->sent[operation->peer]++);
        break;
    case CAUCUS_OPERATION_RECEIVE:
        write_message(writer, "recv", "from", operation->length, operation->peer,
                      writer->received[operation->peer]++);
        break;
    case CAUCUS_OPERATION_COPY:
        write_calc(writer, bytes * model->copy_byte);
        break;
    case CAUCUS_OPERATION_REDUCE:
        write_calc(writer, bytes * model->reduce_byte);
        break;
    case CAUCUS_OPERATION_SIGNAL:
        count = caucus_goal_raised(&writer->flags, rank, index, &flags);
        write_flags(writer, flags, count, true);
        break;
    default:
        count = caucus_goal_awaited(&writer->flags, rank, index, &flags);
        write_flags(writer, flags, count, false);
    }
}

/* before: the label that all of this step require, 0 for none. Returns the one that stands for this
 * step. */
static int64_t end_step(struct writer *writer, int64_t first, int64_t before) {
    int64_t last = writer->label;
    for (int64_t label = first; before && label <= last; label++)
        fprintf(writer->file, "l%" PRId64 " requires l%" PRId64 "\n", label, before);
    if (first == last)
        return last;
    write_calc(writer, 0);
    for (int64_t label = first; label <= last; label++)
        fprintf(writer->file, "l%" PRId64 " requires l%" PRId64 "\n", writer->label, label);
    return writer->label;
}

static void write_rank(struct writer *writer, int32_t rank) {
    const struct caucus_schedule *schedule = &writer->scene->schedules[rank];
    int64_t first = 1, before = 0;
    memset(writer->sent, 0, (size_t)writer->scene->ranks * sizeof *writer->sent);
    memset(writer->received, 0, (size_t)writer->scene->ranks * sizeof *writer->received);
    writer->label = 0;
    fprintf(writer->file, "\nrank %d {\n", rank);
    for (int64_t i = 0; i < schedule->count; i++) {
        write_operation(writer, rank, i);
        if (schedule->operations[i].ends_step || i + 1 == schedule->count) {
            before = end_step(writer, first, before);
            first = writer->label + 1;
        }
    }
    if (schedule->count == 0)
        write_calc(writer, 0); /* a rank must do something */
    fprintf(writer->file, "}\n");
}

int caucus_scene_goal(const struct caucus_scene *scene, FILE *file) {
    struct writer writer = {.scene = scene, .file = file};
    int status = caucus_goal_flags_init(&writer.flags, scene);
    writer.sent = caucus_array(scene->ranks, sizeof *writer.sent);
    writer.received = caucus_array(scene->ranks, sizeof *writer.received);
    if (!status && (!writer.sent || !writer.received))
        status = CAUCUS_NO_MEMORY;
    if (!status)
        fprintf(file, "num_ranks %d\n", scene->ranks);
    for (int32_t rank = 0; !status && rank < scene->ranks; rank++)
        write_rank(&writer, rank);
    free(writer.sent);
    free(writer.received);
    caucus_goal_flags_free(&writer.flags);
    return status;
}
