/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a study: the question is checked and the algorithm chosen. */
#include "study/face/study.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/tuned.h"
#include "plan/intergroup/intergroup.h"
#include "study/face/plan.h"

#include <stdlib.h>
#include <string.h>

static const unsigned EXCHANGES = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;

static const int64_t LONGEST_SEGMENT = INT64_C(1) << 40;

static int check(const caucus_study_question *question) {
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"bytes", question->bytes},
                   {"element", question->element},
                   {"segment", question->segment},
                   {"root", question->root},
                   {"first_group", question->first_group},
                   {"second_bytes", question->second_bytes},
                   {"ranks", question->ranks}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].value < 0)
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is %lld: it can't be negative",
                               numbers[i].name, (long long)numbers[i].value);
    if (question->segment > LONGEST_SEGMENT)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "segment is %lld: it may be at most %lld",
                           (long long)question->segment, (long long)LONGEST_SEGMENT);
    if (question->ranks > INT32_MAX)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld ranks are too many",
                           (long long)question->ranks);
    if (!question->collective || caucus_collective_find(question->collective) < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "there is no collective '%s'",
                           question->collective ? question->collective : "");
    return CAUCUS_OK;
}

static bool knows_neighbours(enum caucus_collective collective) {
    return collective >= CAUCUS_NEIGHBOR_ALLGATHER;
}

static int check_groups(const caucus_study_question *question, int64_t ranks) {
    if (question->root >= ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "root %lld: there are ranks 0 to %lld",
                           (long long)question->root, (long long)ranks - 1);
    if (question->first_group > 0 && question->first_group >= ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "%lld of %lld ranks in the first group: the second one has none",
                           (long long)question->first_group, (long long)ranks);
    return CAUCUS_OK;
}

static int make_problem(caucus_study *study, const caucus_study_question *question, int64_t ranks) {
    int status = check_groups(question, ranks);
    if (status)
        return status;
    struct caucus_problem_shape shape = {
        .collective = (enum caucus_collective)caucus_collective_find(question->collective),
        .ranks = (int32_t)ranks,
        .root = (int32_t)question->root,
        .in_place = question->in_place,
        .commutative = question->commutative,
        .element = question->element > 0 ? question->element : 1,
        .bytes = question->bytes,
        .first_group = (int32_t)question->first_group,
        .second_bytes = question->second_bytes,
        .irregular = question->irregular,
        .seed = question->seed,
        .nodes = study->shares_memory ? &study->nodes : NULL,
        .segment = question->segment,
        .exchanged = question->persistent ? EXCHANGES : 0,
        .degree = question->degree,
        .axes = question->degree > 0 ? 0 : question->axes,
    };
    if (knows_neighbours(shape.collective))
        shape.neighbourhood =
            question->degree > 0 ? CAUCUS_NEIGHBOURHOOD_RANDOM : CAUCUS_NEIGHBOURHOOD_STAR;
    for (int axis = 0; axis < CAUCUS_PROBLEM_AXES; axis++) {
        shape.side[axis] = question->sides[axis];
        shape.periodic[axis] = question->periodic[axis];
    }
    status = caucus_problem_check(&shape);
    if (!status)
        status = caucus_study_read_counts(study, question->counts, &shape);
    return status ? status : caucus_problem_init(&study->problem, &shape);
}

static void drop_schedules(caucus_study *study) {
    if (study->schedules)
        caucus_problem_schedules_free(study->schedules, study->problem.shape.ranks);
    study->schedules = NULL;
}

/* Of a collective with a root not every rank of two groups takes part; the root does. */
static int view(caucus_study *study, struct caucus_task *task) {
    const struct caucus_problem_shape *shape = &study->problem.shape;
    bool rooted = caucus_intergroup_rooted(shape->collective);
    return caucus_problem_task(&study->problem, rooted ? shape->root : 0, task);
}

static int choose(caucus_study *study, const char *forced) {
    struct caucus_task task;
    struct caucus_candidate candidate;
    unsigned allowed = study->problem.shape.exchanged;
    int status = view(study, &task);
    if (!status)
        status = caucus_algorithm_choose(&task, &study->model, forced, allowed, &study->algorithm);
    study->predicted = -1;
    for (int i = 0;
         !status && caucus_algorithm_explain(&task, &study->model, allowed, i, &candidate); i++)
        if (candidate.algorithm == study->algorithm && candidate.serves)
            study->predicted = candidate.seconds;
    return status;
}

/* Whatever MPI it was measured with: none is here. */
static int read_model(const char *path, struct caucus_model *model) {
    char mpi[CAUCUS_TUNED_ROOM];
    struct caucus_lines lines;
    int status = caucus_tuned_open(&lines, path, mpi);
    if (status)
        return status == CAUCUS_NOT_APPLICABLE ? CAUCUS_BAD_FILE : status;
    status = caucus_model_parse(model, &lines);
    caucus_lines_close(&lines);
    return status;
}

int caucus_study_create(const caucus_study_question *question, caucus_study **created) {
    *created = NULL;
    caucus_study *study = caucus_array(1, sizeof *study);
    if (!study)
        return CAUCUS_PLAN_FAILED;
    int64_t ranks = question->ranks;
    int status = check(question);
    if (!status)
        status = caucus_study_read_machine(study, question->machine, question->first_group, &ranks);
    caucus_model_default(&study->model);
    if (!status && question->model && *question->model)
        status = read_model(question->model, &study->model);
    if (!status)
        status = make_problem(study, question, ranks);
    if (!status)
        status = choose(study, question->algorithm);
    if (!status)
        *created = study;
    else
        caucus_study_free(study);
    return caucus_plan_status_of(status);
}

void caucus_study_free(caucus_study *study) {
    if (!study)
        return;
    drop_schedules(study);
    caucus_problem_free(&study->problem);
    caucus_node_map_free(&study->nodes);
    free(study->lengths);
    free(study);
}

int caucus_study_use(caucus_study *study, const char *algorithm) {
    const struct caucus_algorithm *before = study->algorithm;
    double predicted = study->predicted;
    int status = choose(study, algorithm);
    if (status) {
        study->algorithm = before;
        study->predicted = predicted;
    } else if (study->algorithm != before) {
        drop_schedules(study);
    }
    return caucus_plan_status_of(status);
}

int caucus_study_candidate_entry(caucus_study *study, int index, caucus_study_candidate *entry) {
    struct caucus_task task;
    struct caucus_candidate *candidate = &study->candidate;
    if (view(study, &task) ||
        !caucus_algorithm_explain(&task, &study->model, study->problem.shape.exchanged, index,
                                  candidate))
        return 0;
    *entry = (caucus_study_candidate){candidate->algorithm->name, candidate->algorithm->summary,
                                      candidate->serves, candidate->seconds, candidate->why};
    return 1;
}

int caucus_study_build(caucus_study *study) {
    return study->schedules
               ? CAUCUS_OK
               : caucus_problem_build(&study->problem, study->algorithm, &study->schedules);
}
