/* SPDX-License-Identifier: BSD-3-Clause */
/* Duplicates keep their report when the original goes; parents may go first; attributes of the user
 * are left alone.
 * run: ranks=1,2,4
 * run: ranks=6 env=CAUCUS_NODES=cyclic:3 */
#include "traffic.h"

static int copies, deletions;

static int on_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
    (void)comm, (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void same_report(const caucus_cart_report_data *a, MPI_Comm cart) {
    caucus_cart_report_data b;
    CHECK_MPI(caucus_cart_report(cart, &b));
    CHECK(strcmp(a->mapper, b.mapper) == 0 && a->nodes == b.nodes && a->bound == b.bound,
          "%s on %d nodes", b.mapper, b.nodes);
    check_traffic(&a->given, &b.given);
    check_traffic(&a->placed, &b.placed);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int dims[] = {world_size()}, periods[] = {0}, room[2], keyval, value;
    MPI_Comm parent, cart, twin, later, child, sub;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_create_keyval(on_copy, on_delete, &keyval, NULL);
    MPI_Comm_set_attr(parent, keyval, &value);
    CHECK_MPI(caucus_comm_attach(parent));
    CHECK_MPI(caucus_comm_attach(parent));
    CHECK_MPI(caucus_cart_create(parent, 1, dims, periods, 1, &cart));
    CHECK(copies == 0, "a user's attribute was copied");

    caucus_cart_report_data report = check_grid(parent, cart, 1, dims, periods, star(1, room));
    MPI_Comm_free(&parent);
    CHECK(deletions == 1, "%d deletions", deletions);
    same_report(&report, cart);
    MPI_Comm_dup(cart, &twin);
    same_report(&report, twin);
    MPI_Comm_free(&cart);
    same_report(&report, twin);
    MPI_Comm_idup(twin, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&twin);
    twin = later;
    same_report(&report, twin);

    /* A grid of a grid, and a part of one. */
    CHECK_MPI(caucus_cart_create(twin, 1, dims, periods, 1, &child));
    check_grid(twin, child, 1, dims, periods, star(1, room));
    MPI_Cart_sub(twin, (int[]){1}, &sub);
    caucus_cart_report_data of_sub;
    CHECK_MPI(caucus_cart_report(sub, &of_sub));
    check_traffic(&of_sub.placed, &report.placed);
    check_traffic(&of_sub.given, &report.placed);
    CHECK(strcmp(of_sub.mapper, "given") == 0, "%s", of_sub.mapper);
    MPI_Comm_free(&sub);
    MPI_Comm_free(&child);
    MPI_Comm_free(&twin);
    MPI_Comm_free_keyval(&keyval);

    /* One that is never freed, and MPI_COMM_WORLD's own. */
    CHECK_MPI(caucus_cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &cart));
    MPI_Finalize();
    return 0;
}
