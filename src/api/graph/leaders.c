/* SPDX-License-Identifier: BSD-3-Clause */
/* The leaders of the nodes carry out the steps of the plan, the letters of each by one
 * exchange among them, while the other ranks wait. O(edges of a few nodes + nodes) memory on a
 * leader, O(1) on others. Roles without a rank in the new communicator have no edges. */
#include "api/graph/leaders.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/graph/leader.h"
#include "plan/graph/place.h"
#include "run/attachment/exchange.h"
#include "run/graph/post.h"
#include "run/peers/agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a leader has; other ranks have none of it. */
struct course {
    const struct caucus_attachment *attachment;
    struct caucus_own_edges own;
    int32_t *rank; /* [local_size] of the node */
    int64_t *start;
    int32_t *to, *weight;
    struct caucus_leader leader;
    struct caucus_post post;
    int32_t *role_of_local;
    int64_t *number; /* [local_size] to gather and to hand out */
};

static void course_free(struct course *course) {
    free(course->rank);
    free(course->start);
    free(course->to);
    free(course->role_of_local);
    free(course->number);
    caucus_leader_free(&course->leader);
    caucus_post_free(&course->post);
}

static int make_room(struct course *course) {
    int64_t local_size = course->attachment->local_size;
    course->rank = caucus_array(local_size, sizeof *course->rank);
    course->role_of_local = caucus_array(local_size, sizeof *course->role_of_local);
    course->number = caucus_array(local_size, sizeof *course->number);
    return course->rank && course->role_of_local && course->number
               ? caucus_post_init(&course->post, course->attachment)
               : CAUCUS_NO_MEMORY;
}

/* On leaders what the ranks of their nodes give. Collective; a status for each node. */
static int gather(struct course *course, const struct caucus_role_edges *own) {
    const struct caucus_attachment *attachment = course->attachment;
    const struct caucus_peers ranks = caucus_peers_some(attachment->node);
    bool leads = attachment->local_rank == 0;
    int status = leads ? make_room(course) : CAUCUS_OK;
    status = caucus_agree_root(&ranks, 0, status);
    if (!status)
        status =
            caucus_role_edges_gather(&ranks, own, &course->start, &course->to, &course->weight);
    if (!status)
        status = caucus_gather_node(attachment, attachment->rank, course->number);
    for (int i = 0; leads && i < attachment->local_size && !status; i++)
        course->rank[i] = (int32_t)course->number[i];
    course->own = (struct caucus_own_edges){attachment->local_size, course->rank, course->start,
                                            course->to, course->weight};
    return status;
}

/* Leaders only: all steps. */
static int take_steps(struct course *course, int vertices) {
    const struct caucus_attachment *attachment = course->attachment;
    struct caucus_leader *leader = &course->leader;
    struct caucus_post *post = &course->post;
    int status = caucus_leader_init(leader, &attachment->nodes, attachment->node_index, vertices,
                                    &course->own);
    while (!leader->done && !post->stopped) {
        if (!status)
            status = caucus_leader_step(leader, &post->received, &post->sent);
        memcpy(leader->total, leader->sum, sizeof leader->sum);
        status = caucus_post_exchange(post, status, leader->total, CAUCUS_LEADER_SUMS);
    }
    return post->stopped ? status : caucus_post_add_up(post, status, NULL, 0); /* of the last one */
}

/* Leaders only: what all nodes cost, and whether it pays, on rank 0. */
static int decide_between(const struct course *course, double threshold,
                          struct caucus_grid_outcome *outcome) {
    caucus_cart_report_data *report = &outcome->report;
    int status = caucus_grid_add_shares(course->attachment, &course->leader.given, &report->given);
    if (!status)
        status =
            caucus_grid_add_shares(course->attachment, &course->leader.placed, &report->placed);
    outcome->moved = caucus_graph_pays(report->given.off_node, report->placed.off_node, threshold);
    if (outcome->moved)
        snprintf(report->mapper, sizeof report->mapper, "distributed");
    else
        report->placed = report->given;
    return status;
}

/* Leaders only: which rank of the node takes which of its roles; and, of ranks that stay on their
 * nodes, whether that pays, on rank 0. */
static int pair(struct course *course, double threshold, struct caucus_grid_outcome *outcome) {
    const struct caucus_attachment *attachment = course->attachment;
    double cut[2 * CAUCUS_INNER_LEVELS] = {0};
    double *given = cut, *placed = cut + CAUCUS_INNER_LEVELS;
    int status = caucus_leader_pair(&course->leader, outcome->moved, attachment->levels,
                                    (const int32_t *const *)attachment->part_of_local, given,
                                    placed, course->role_of_local);
    status = caucus_post_add_up(&course->post, status, NULL, 0);
    if (course->post.stopped || outcome->moved)
        return status;
    status = caucus_reduce_leaders(attachment, cut, 2 * CAUCUS_INNER_LEVELS, MPI_SUM);
    for (int level = 0; level < CAUCUS_INNER_LEVELS; level++)
        outcome->moved |= caucus_graph_pays(given[level], placed[level], threshold);
    if (outcome->moved)
        snprintf(outcome->report.mapper, sizeof outcome->report.mapper, "within-node");
    return status;
}

/* On rank 0, whose number is the lowest of its node's. */
static void find_rank0(const struct course *course, struct caucus_grid_outcome *outcome) {
    if (course->attachment->rank == 0)
        outcome->report.rank0_kept = !outcome->moved || course->role_of_local[0] == 0;
}

/* Leaders only: which roles the ranks take whose numbers are the roles of the node's ranks. */
static int find_givers(struct course *course) {
    const struct caucus_registry *registry = &course->leader.registry;
    int32_t size = course->attachment->local_size;
    struct caucus_answers givers = {0};
    for (int32_t i = 0; i < size; i++) {
        caucus_registry_tell(registry, course->rank[i], course->role_of_local[i],
                             &course->post.sent);
        caucus_registry_ask(registry, course->role_of_local[i], &course->post.sent);
    }
    int status = caucus_post_exchange(&course->post, CAUCUS_OK, NULL, 0);
    if (course->post.stopped)
        return status;
    if (!status)
        caucus_registry_answer(&course->leader.registry, &course->post.received,
                               &course->post.sent);
    status = caucus_post_exchange(&course->post, status, NULL, 0);
    if (course->post.stopped)
        return status;
    if (!status)
        status = caucus_answers_read(&course->post.received, &givers);
    for (int32_t i = 0; i < size && !status; i++)
        course->number[i] = caucus_answers_find(&givers, course->role_of_local[i]);
    caucus_answers_free(&givers);
    return status;
}

/* From the leader of the node, which has the givers already. */
static int hand_out(const struct course *course, int64_t *role, int64_t *giver) {
    const struct caucus_attachment *attachment = course->attachment;
    int status = caucus_scatter_node(attachment, course->number, giver);
    for (int i = 0; course->number && i < attachment->local_size; i++)
        course->number[i] = course->role_of_local[i];
    return status ? status : caucus_scatter_node(attachment, course->number, role);
}

/* All ranks: what rank 0 found, if all is well. */
static int share(const struct course *course, int status, struct caucus_grid_outcome *outcome) {
    status = caucus_agree(&course->attachment->peers, status, 0, NULL);
    return status ? status : caucus_bcast_all(course->attachment, outcome, sizeof *outcome);
}

static int place(struct course *course, const struct caucus_role_edges *own, int vertices,
                 double threshold, struct caucus_graph_placement_of_rank *placement) {
    struct caucus_grid_outcome *outcome = &placement->outcome;
    bool leads = course->attachment->local_rank == 0;
    int64_t role = 0, giver = 0;
    int status = gather(course, own);
    status = caucus_agree(&course->attachment->peers, status, 0, NULL);
    if (status)
        return status;
    if (leads)
        status = take_steps(course, vertices);
    if (leads && !status && !course->post.stopped)
        status = decide_between(course, threshold, outcome);
    status = share(course, status, outcome);
    if (!status && leads)
        status = pair(course, threshold, outcome);
    if (!status)
        find_rank0(course, outcome);
    status = share(course, status, outcome);
    if (status || !outcome->moved)
        return status;
    if (leads)
        status = find_givers(course);
    status = caucus_agree(&course->attachment->peers, status, 0, NULL);
    if (!status)
        status = hand_out(course, &role, &giver);
    placement->role = role < vertices ? (int)role : -1;
    placement->giver = (int)giver;
    return status;
}

int caucus_graph_place_by_leaders(const struct caucus_attachment *attachment,
                                  const struct caucus_role_edges *own, int vertices,
                                  double threshold,
                                  struct caucus_graph_placement_of_rank *placement) {
    struct course course = {.attachment = attachment};
    int status = place(&course, own, vertices, threshold, placement);
    course_free(&course);
    return status;
}
