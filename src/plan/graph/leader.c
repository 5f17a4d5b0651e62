/* SPDX-License-Identifier: BSD-3-Clause */
/* Who meets: in each round some nodes, other ones each time, receive, and the others propose to
 * that one of them that they have most ties with and have not met without any change since.
 * Who receives takes the heaviest proposals. When nobody finds anybody to propose to any more,
 * or rounds gain next to nothing, or there were very many, it is done. */
#include "plan/graph/leader.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/graph/lighten.h"
#include "plan/graph/place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    GUESTS = 7, /* of who receives, at most */
    ONE_IN = 4, /* receives in a round */
    MOST_ROUNDS = 100,
    MOST_IDLE = 12,        /* rounds in a row */
    NEXT_TO_NOTHING = 1000 /* less than one part in so many */
};

int caucus_leader_init(struct caucus_leader *leader, const struct caucus_nodes *nodes, int32_t node,
                       int32_t roles, const struct caucus_own_edges *own) {
    *leader = (struct caucus_leader){.nodes = nodes, .node = node, .roles = roles, .own = *own};
    leader->idle = -1; /* what all start with is settled as if a round had led to it */
    leader->tried = caucus_array(nodes->count, sizeof *leader->tried);
    return leader->tried ? caucus_registry_init(&leader->registry, nodes, node) : CAUCUS_NO_MEMORY;
}

void caucus_leader_free(struct caucus_leader *leader) {
    caucus_registry_free(&leader->registry);
    caucus_held_free(&leader->home);
    caucus_held_free(&leader->held);
    free(leader->tried);
    memset(leader, 0, sizeof *leader);
}

/* Where all roles are that lead to or from here. */
static int ask_for(const struct caucus_leader *leader, const struct caucus_held *held,
                   struct caucus_letters *sent) {
    int64_t count;
    int32_t *role = caucus_held_neighbors(held, &count);
    for (int64_t i = 0; role && i < count; i++)
        caucus_registry_ask(&leader->registry, role[i], sent);
    free(role);
    return role ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static void tell_of(const struct caucus_leader *leader, int32_t count, const int32_t *role,
                    struct caucus_letters *sent) {
    for (int32_t i = 0; i < count; i++)
        caucus_registry_tell(&leader->registry, role[i], leader->node, sent);
}

/* Where the node's own ranks are, and where their edges lead. */
static int enlist(struct caucus_leader *leader, const struct caucus_letters *received,
                  struct caucus_letters *sent) {
    struct caucus_held own;
    int status = caucus_held_join(&leader->own, received, &own);
    tell_of(leader, leader->own.count, leader->own.role, sent);
    if (!status)
        status = ask_for(leader, &own, sent);
    caucus_held_free(&own);
    return status;
}

static int answer(struct caucus_leader *leader, const struct caucus_letters *received,
                  struct caucus_letters *sent) {
    caucus_registry_answer(&leader->registry, received, sent);
    return CAUCUS_OK;
}

/* Edges are known at both ends then. */
static int reverse(struct caucus_leader *leader, const struct caucus_letters *received,
                   struct caucus_letters *sent) {
    struct caucus_answers nodes;
    int status = caucus_answers_read(received, &nodes);
    if (!status)
        caucus_held_tell(&leader->own, &nodes, sent);
    caucus_answers_free(&nodes);
    return status;
}

static int join(struct caucus_leader *leader, const struct caucus_letters *received,
                struct caucus_letters *sent) {
    int status = caucus_held_join(&leader->own, received, &leader->home);
    return status ? status : ask_for(leader, &leader->home, sent);
}

static void widen(int number, int *least, int *most) {
    *least = number < *least ? number : *least;
    *most = number > *most ? number : *most;
}

/* What a node costs that has these roles, where the others are where they were found. */
static void weigh(const struct caucus_leader *leader, const struct caucus_held *held,
                  const struct caucus_answers *nodes, struct caucus_grid_share *share) {
    *share =
        (struct caucus_grid_share){.cells = held->count, .on_min = INT_MAX, .off_min = INT_MAX};
    for (int32_t i = 0; i < held->count; i++) {
        int on = 0, off = 0;
        if (held->role[i] >= leader->roles) { /* whoever has it takes no part */
            share->cells--;
            continue;
        }
        for (int64_t k = held->start[i]; k < held->start[i + 1]; k++) {
            const struct caucus_held_tie *tie = &held->tie[k];
            bool stays = caucus_answers_find(nodes, tie->to) == leader->node;
            share->total += (double)tie->out;
            share->leaving += stays ? 0 : (double)tie->out;
            on += stays ? (int)tie->edges : 0;
            off += stays ? 0 : (int)tie->edges;
        }
        share->on += on;
        share->off += off;
        widen(on, &share->on_min, &share->on_max);
        widen(off, &share->off_min, &share->off_max);
    }
}

/* The cost of both starts. */
static int compare(struct caucus_leader *leader, const struct caucus_letters *received,
                   struct caucus_letters *sent) {
    const struct caucus_held *home = &leader->home;
    struct caucus_answers nodes;
    (void)sent;
    int status = caucus_answers_read(received, &nodes);
    if (!status)
        weigh(leader, home, &nodes, &leader->given);
    leader->placed = leader->given;
    for (int32_t i = 0; i < home->count && !status; i++)
        for (int64_t k = home->start[i]; k < home->start[i + 1]; k++) {
            const struct caucus_held_tie *tie = &home->tie[k];
            if (caucus_answers_find(&nodes, tie->to) != leader->node)
                leader->sum[0] += tie->both;
            if (caucus_registry_keeper(&leader->registry, tie->to) !=
                caucus_registry_keeper(&leader->registry, home->role[i]))
                leader->sum[1] += tie->both;
        }
    caucus_answers_free(&nodes);
    return status;
}

/* Every role goes to where it starts. */
static int start(struct caucus_leader *leader, const struct caucus_letters *received,
                 struct caucus_letters *sent) {
    const struct caucus_held *home = &leader->home;
    (void)received;
    const int64_t *cut = leader->total;
    leader->blocks = cut[1] < cut[0];
    leader->cut = cut[leader->blocks];
    /* where each node has one rank, whoever is where costs the same */
    leader->done = cut[0] == 0 || leader->nodes->count == leader->nodes->ranks;
    for (int32_t i = 0; i < home->count && !leader->done; i++)
        caucus_held_send(home, i,
                         leader->blocks ? caucus_registry_keeper(&leader->registry, home->role[i])
                                        : leader->node,
                         sent);
    leader->meets = true;
    return CAUCUS_OK;
}

static bool same_roles(const struct caucus_held *a, const struct caucus_held *b) {
    return a->count == b->count && a->role && b->role &&
           memcmp(a->role, b->role, (size_t)a->count * sizeof *a->role) == 0;
}

/* What came of the round before, and where all are now. */
static int settle(struct caucus_leader *leader, const struct caucus_letters *received,
                  struct caucus_letters *sent) {
    int64_t gained = leader->total[0];
    struct caucus_held held;
    leader->idle = gained > leader->cut / NEXT_TO_NOTHING ? 0 : leader->idle + 1;
    leader->cut -= gained;
    if (leader->meets) {
        int status = caucus_held_receive(received, &held, NULL);
        if (status) {
            caucus_held_free(&held);
            return status;
        }
        if (!same_roles(&held, &leader->held))
            memset(leader->tried, 0, (size_t)leader->nodes->count * sizeof *leader->tried);
        caucus_held_free(&leader->held);
        leader->held = held;
        tell_of(leader, held.count, held.role, sent);
    }
    return ask_for(leader, &leader->held, sent);
}

/* Few nodes receive in turn, and all others can meet the one that does. */
static bool receives(const struct caucus_leader *leader, int32_t node) {
    uint64_t round = (uint64_t)leader->round, count = (uint64_t)leader->nodes->count;
    if (count <= GUESTS + 1)
        return round % count == (uint64_t)node;
    return caucus_mix(round * count + (uint64_t)node) % ONE_IN == 0;
}

/* What ties this node to each other one: to be freed; NULL without memory. */
static int64_t *ties_to_nodes(const struct caucus_leader *leader,
                              const struct caucus_answers *nodes) {
    const struct caucus_held *held = &leader->held;
    int64_t *tied = caucus_array(leader->nodes->count, sizeof *tied);
    for (int64_t k = 0; tied && k < held->start[held->count]; k++) {
        int32_t node = caucus_answers_find(nodes, held->tie[k].to);
        if (node != leader->node)
            tied[node] += held->tie[k].both;
    }
    return tied;
}

/* sum: how many find anybody to propose to, be it in a later round. */
static int propose(struct caucus_leader *leader, const struct caucus_letters *received,
                   struct caucus_letters *sent) {
    struct caucus_answers nodes;
    int64_t *tied = NULL, most = 0;
    int status = caucus_answers_read(received, &nodes);
    bool last = leader->idle > MOST_IDLE || ++leader->round > MOST_ROUNDS;
    if (!status) {
        weigh(leader, &leader->held, &nodes, &leader->placed);
        tied = ties_to_nodes(leader, &nodes);
        status = tied ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    leader->chosen = -1;
    for (int32_t node = 0; node < leader->nodes->count && !status && !last; node++) {
        if (tied[node] == 0 || leader->tried[node])
            continue;
        leader->sum[0] = 1;
        if (tied[node] > most && receives(leader, node) && !receives(leader, leader->node)) {
            most = tied[node];
            leader->chosen = node;
        }
    }
    if (leader->chosen >= 0)
        caucus_letters_add(sent, leader->chosen, 1, &most);
    free(tied);
    caucus_answers_free(&nodes);
    return status;
}

/* Takes the heaviest of the proposals that are left; -1 where there are none. */
static int32_t take_heaviest(const struct caucus_letters *received, const bool *taken) {
    int32_t heaviest = -1;
    for (int32_t from = 0; from < received->leaders; from++) {
        int64_t at = received->start[from];
        if (at == received->start[from + 1] || taken[from])
            continue;
        if (heaviest < 0 || received->number[at] > received->number[received->start[heaviest]])
            heaviest = from;
    }
    return heaviest;
}

/* Every guest hears of all: whoever meets in a group has met each other. */
static int receive(struct caucus_leader *leader, const struct caucus_letters *received,
                   struct caucus_letters *sent) {
    int64_t guest[GUESTS];
    int guests = 0;
    leader->meets = false;
    leader->done = leader->total[0] == 0;
    if (leader->done || received->start[received->leaders] == 0)
        return CAUCUS_OK;
    bool *taken = caucus_array(received->leaders, sizeof *taken);
    if (!taken)
        return CAUCUS_NO_MEMORY;
    for (int32_t from; guests < GUESTS && (from = take_heaviest(received, taken)) >= 0;) {
        taken[from] = leader->tried[from] = leader->meets = true;
        guest[guests++] = from;
    }
    for (int i = 0; i < guests; i++)
        caucus_letters_add(sent, (int32_t)guest[i], guests, guest);
    free(taken);
    return CAUCUS_OK;
}

/* The roles of a group come together. */
static int visit(struct caucus_leader *leader, const struct caucus_letters *received,
                 struct caucus_letters *sent) {
    int32_t host = leader->meets ? leader->node : -1;
    int64_t guests = received->start[received->leaders];
    if (guests > 0) {
        host = leader->chosen;
        leader->tried[host] = leader->meets = true;
    }
    for (int64_t i = 0; i < guests; i++)
        leader->tried[received->number[i]] = true;
    for (int32_t i = 0; i < leader->held.count && host >= 0; i++)
        caucus_held_send(&leader->held, i, host, sent);
    return CAUCUS_OK;
}

/* Numbers the nodes of a group by their order; returns how many. */
static int32_t number_nodes(const struct caucus_leader *leader,
                            const struct caucus_letters *received, int32_t count,
                            const int32_t *from, int32_t *part, int32_t *size, int32_t *node) {
    int32_t parts = 0;
    for (int32_t other = 0; other < received->leaders; other++) {
        if (received->start[other] == received->start[other + 1])
            continue;
        for (int32_t i = 0; i < count; i++)
            part[i] = from[i] == other ? parts : part[i];
        size[parts] = caucus_nodes_size(leader->nodes, other);
        node[parts++] = other;
    }
    return parts;
}

/* sum: twice what the group gains. */
static int divide(struct caucus_leader *leader, const struct caucus_letters *received,
                  struct caucus_letters *sent) {
    struct caucus_held group;
    struct caucus_ties ties = {0};
    int32_t *from = NULL, size[GUESTS + 1], node[GUESTS + 1];
    if (received->start[received->leaders] == 0)
        return CAUCUS_OK;
    int status = caucus_held_receive(received, &group, &from);
    int32_t *part = caucus_array(group.count, sizeof *part);
    if (!status && !part)
        status = CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_held_among(&group, &ties);
    if (!status) {
        int32_t parts = number_nodes(leader, received, group.count, from, part, size, node);
        int64_t before = caucus_ties_cut(&ties, part);
        status = caucus_graph_lighten(&ties, parts, size, part);
        if (!status)
            leader->sum[0] = 2 * (before - caucus_ties_cut(&ties, part));
    }
    for (int32_t i = 0; i < group.count && !status; i++)
        caucus_held_send(&group, i, node[part[i]], sent);
    caucus_ties_free(&ties);
    caucus_held_free(&group);
    free(from);
    free(part);
    return status;
}

typedef int step_function(struct caucus_leader *leader, const struct caucus_letters *received,
                          struct caucus_letters *sent);

int caucus_leader_step(struct caucus_leader *leader, const struct caucus_letters *received,
                       struct caucus_letters *sent) {
    static step_function *const steps[] = {enlist, answer, reverse, join,    answer, compare, start,
                                           settle, answer, propose, receive, visit,  divide};
    enum { STEPS = sizeof steps / sizeof *steps, FIRST_OF_ROUND = 7 };
    memset(leader->sum, 0, sizeof leader->sum);
    int status = steps[leader->step](leader, received, sent);
    leader->step = leader->step + 1 < STEPS ? leader->step + 1 : FIRST_OF_ROUND;
    return status;
}

int caucus_leader_pair(const struct caucus_leader *leader, bool moved, int levels,
                       const int32_t *const *part, double *given, double *placed,
                       int32_t *role_of_local) {
    const struct caucus_held *held = moved ? &leader->held : &leader->home;
    struct caucus_places places = {.ranks = held->count, .nodes = 1, .levels = levels};
    struct caucus_ties ties = {0};
    int32_t *role = caucus_array(3 * (int64_t)held->count, sizeof *role);
    int status = role ? caucus_held_among(held, &ties) : CAUCUS_NO_MEMORY;
    for (int level = 0; level < levels; level++)
        places.part[level] = part[level];
    if (!status) {
        int32_t *local = role + held->count, *number = local + held->count;
        const struct caucus_inner inner = {&ties, &places, number, given, placed};
        for (int32_t i = 0; i < held->count; i++) {
            role[i] = local[i] = i;
            number[i] = -1;
        }
        status = caucus_graph_place_inside(&inner, held->count, role, local);
        for (int32_t i = 0; i < held->count && !status; i++)
            role_of_local[local[i]] = held->role[i];
    }
    caucus_ties_free(&ties);
    free(role);
    return status;
}
