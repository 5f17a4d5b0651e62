/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked of a study. */
#include "base/status.h"
#include "plan/intergroup/intergroup.h"
#include "study/draw/scene.h"
#include "study/face/plan.h"
#include "study/face/study.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int64_t caucus_study_ranks(const caucus_study *study) {
    return study->problem.shape.ranks;
}

int64_t caucus_study_nodes(const caucus_study *study) {
    return study->shares_memory ? study->nodes.nodes : study->problem.shape.ranks;
}

const char *caucus_study_algorithm(const caucus_study *study) {
    return study->algorithm->name;
}

double caucus_study_predicted(const caucus_study *study) {
    return study->predicted;
}

int caucus_study_verify(caucus_study *study, caucus_study_verdict *verdict) {
    struct caucus_specification specification;
    struct caucus_verdict found = {0};
    int status = caucus_study_build(study);
    if (!status) {
        caucus_problem_specification(&study->problem, &specification);
        status = caucus_schedule_verify(&specification, study->schedules, &found);
    }
    *verdict = (caucus_study_verdict){found.operations, found.messages, found.bytes, found.steps};
    /* A wrong schedule is a failure of Caucus, whatever the status that names it. */
    return status == CAUCUS_NOT_APPLICABLE ? CAUCUS_PLAN_NOT_APPLICABLE
           : status                        ? CAUCUS_PLAN_FAILED
                                           : CAUCUS_PLAN_OK;
}

int caucus_study_simulate(caucus_study *study, caucus_study_time *time) {
    struct caucus_simulation found = {0};
    int status = caucus_study_build(study);
    if (!status)
        status = caucus_schedule_simulate(study->problem.shape.ranks, study->schedules,
                                          study->shares_memory ? &study->nodes : NULL,
                                          &study->model, NULL, NULL, &found);
    *time = (caucus_study_time){found.seconds,
                                found.operations,
                                found.messages[CAUCUS_WITHIN_NODE],
                                found.messages[CAUCUS_BETWEEN_NODES],
                                found.bytes[CAUCUS_WITHIN_NODE],
                                found.bytes[CAUCUS_BETWEEN_NODES],
                                found.card_bytes};
    return caucus_plan_status_of(status);
}

static void entitle(const caucus_study *study, char *title, size_t room) {
    const struct caucus_problem_shape *shape = &study->problem.shape;
    char nodes[64] = "", bytes[64] = "", ranks[32], also[32] = "";
    bool sided = caucus_study_sided(shape) && shape->second_bytes != shape->bytes;
    snprintf(ranks, sizeof ranks, "%d", shape->ranks);
    if (shape->first_group)
        snprintf(ranks, sizeof ranks, "%d+%d", shape->first_group,
                 shape->ranks - shape->first_group);
    if (sided)
        snprintf(also, sizeof also, "+%lld", (long long)shape->second_bytes);
    if (study->shares_memory)
        snprintf(nodes, sizeof nodes, " on %d node%s", study->nodes.nodes,
                 study->nodes.nodes == 1 ? "" : "s");
    if (shape->collective != CAUCUS_BARRIER)
        snprintf(bytes, sizeof bytes, ", %lld%s byte%s", (long long)shape->bytes, also,
                 shape->bytes == 1 && !sided ? "" : "s");
    snprintf(title, room, "%s by %s: %s rank%s%s%s", caucus_collective_name(shape->collective),
             study->algorithm->name, ranks, shape->ranks == 1 ? "" : "s", nodes, bytes);
}

typedef int scene_writer(const struct caucus_scene *scene, FILE *file);

/* NULL, with a text, where there is no such format. */
static scene_writer *find_writer(const char *format) {
    if (strcmp(format, "svg") == 0)
        return caucus_scene_svg;
    if (strcmp(format, "text") == 0)
        return caucus_scene_text;
    if (strcmp(format, "goal") == 0)
        return caucus_scene_goal;
    caucus_fail(CAUCUS_BAD_ARGUMENT, "'%s' is no format: svg, text or goal", format);
    return NULL;
}

static FILE *open_file(const char *path) {
    if (strcmp(path, "-") != 0)
        return fopen(path, "w");
    int copy = dup(STDOUT_FILENO); /* to be closed like any other */
    return copy < 0 ? NULL : fdopen(copy, "w");
}

int caucus_study_write(caucus_study *study, const char *format, const char *path) {
    char title[256];
    scene_writer *writer = find_writer(format);
    int status = writer ? caucus_study_build(study) : CAUCUS_BAD_ARGUMENT;
    if (status)
        return caucus_plan_status_of(status);
    FILE *file = open_file(path);
    if (!file) {
        caucus_fail(CAUCUS_BAD_FILE, "%s: %s", path, strerror(errno));
        return CAUCUS_PLAN_FAILED;
    }
    entitle(study, title, sizeof title);
    struct caucus_scene scene = {study->problem.shape.ranks,
                                 study->problem.shape.first_group,
                                 study->schedules,
                                 study->shares_memory ? &study->nodes : NULL,
                                 &study->model,
                                 title};
    status = writer(&scene, file);
    bool failed = ferror(file);
    if ((fclose(file) || failed) && !status) {
        caucus_fail(CAUCUS_BAD_FILE, "%s: %s", path, strerror(errno));
        return CAUCUS_PLAN_FAILED;
    }
    return caucus_plan_status_of(status);
}

int caucus_study_listed_entry(int index, caucus_study_listed *entry) {
    int of_one = 0;
    while (index >= of_one && caucus_algorithm_entry(of_one))
        of_one++;
    bool between = index >= of_one;
    const struct caucus_algorithm *algorithm =
        between ? caucus_intergroup_algorithm(index - of_one) : caucus_algorithm_entry(index);
    if (!algorithm)
        return 0;
    unsigned needs = algorithm->needs;
    *entry = (caucus_study_listed){
        .collective = caucus_collective_name(algorithm->collective),
        .name = algorithm->name,
        .summary = algorithm->summary,
        .needs_commutative = (needs & CAUCUS_NEEDS_COMMUTATIVE) != 0,
        .needs_shared_memory = (needs & (CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ONE_NODE)) != 0,
        .needs_one_node = (needs & CAUCUS_NEEDS_ONE_NODE) != 0,
        .needs_block_nodes = (needs & CAUCUS_NEEDS_ORDERED) != 0,
        .needs_exchange = (needs & (CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC)) != 0,
        .groups = between ? 2 : 1,
    };
    return 1;
}

int caucus_study_parameter_entry(int index, const char **name, const char **help, double *value) {
    struct caucus_model model;
    double *place;
    caucus_model_default(&model);
    *name = caucus_model_parameter(&model, index, help, &place);
    if (!*name)
        return 0;
    *value = *place;
    return 1;
}
