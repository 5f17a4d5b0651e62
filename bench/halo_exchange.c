/* SPDX-License-Identifier: BSD-3-Clause */
/* Halo exchange over message sizes, on the communicator of MPI_Cart_create and on that of
 * caucus_cart_create side by side: rate per process, the rate of a single sender over that of all
 * sending, and the bytes through the cards of virtual nodes. Experiment of W. Gropp, Using Node
 * Information to Implement MPI Cartesian Topologies, EuroMPI 2018.
 *
 * Rate: bytes that a process sends (mean over the processes) by the time of the slowest one. Single
 * sender: one process that has most neighbours sends to all of them, nobody else does; it waits for
 * an empty answer of each at the end of a measurement. Repetitions alternate between the two. */
#include "common/grids.h"
#include "common/halo.h"
#include "common/node_cards.h"
#include "common/sample.h"

struct measured {
    struct sample seconds, single_seconds, card_bytes, card_worst; /* per exchange */
};

/* Seconds for one iteration on the slowest process. */
static double timed(void (*run)(struct halo *, long, int), struct halo *halo, long size,
                    int iterations) {
    double start = MPI_Wtime(), mine, slowest;
    run(halo, size, iterations);
    mine = MPI_Wtime() - start;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, halo->comm);
    return slowest / iterations;
}

static void repeat(struct halo *halo, long size, int iterations, struct node_cards *cards,
                   struct measured *measured) {
    double all = 0.0, worst = 0.0;
    node_cards_start(cards);
    double seconds = timed(exchange_all, halo, size, iterations);
    node_cards_stop(cards, &all, &worst);
    sample_add(&measured->seconds, seconds);
    if (cards->there) {
        sample_add(&measured->card_bytes, all / iterations);
        sample_add(&measured->card_worst, worst / iterations);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    sample_add(&measured->single_seconds, timed(exchange_single, halo, size, iterations));
}

/* As many as fit in the time, by the slower communicator; a warm-up, too. */
static int iterations_for(struct halo halo[KINDS], long size, double seconds) {
    double slower = 1e-9;
    for (int kind = 0; kind < KINDS; kind++) {
        timed(exchange_all, &halo[kind], size, 1);
        double one = timed(exchange_all, &halo[kind], size, 2);
        slower = one > slower ? one : slower;
    }
    double iterations = seconds / slower;
    int most = iterations < 2.0 ? 2 : iterations > 10000.0 ? 10000 : (int)iterations;
    MPI_Bcast(&most, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return most;
}

static double rate(const struct halo *halo, const struct grids *grids, long size,
                   const struct measured *measured) {
    double bytes = (double)size * (double)halo->messages / grids->ranks;
    return 1e-6 * bytes / sample_median(&measured->seconds);
}

static double single_rate(const struct halo *halo, long size, const struct measured *measured) {
    return 1e-6 * (double)size * halo->single_count / sample_median(&measured->single_seconds);
}

static void print_size(const struct halo halo[KINDS], const struct grids *grids, long size,
                       int iterations, const struct measured measured[KINDS]) {
    double rates[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        rates[kind] = rate(&halo[kind], grids, size, &measured[kind]);
    printf("%10ld %10d %12.3f %12.3f %8.2f", size, iterations, rates[0], rates[1],
           rates[1] / rates[0]);
    for (int kind = 0; kind < KINDS; kind++)
        printf(" %10.2f", single_rate(&halo[kind], size, &measured[kind]) / rates[kind]);
    for (int kind = 0; kind < KINDS && measured[kind].card_bytes.count > 0; kind++) {
        double bytes = sample_median(&measured[kind].card_bytes);
        double planned = (double)size * grids->report[kind].placed.off_node;
        printf(" %14.0f %8.3f", bytes, planned > 0.0 ? bytes / planned : 0.0);
    }
    printf("\n");
    fflush(stdout);
}

static void json_size(FILE *file, const struct halo halo[KINDS], long size, int iterations,
                      const struct measured measured[KINDS], const char *separator) {
    fprintf(file, "  {\"bytes\": %ld, \"iterations\": %d", size, iterations);
    for (int kind = 0; kind < KINDS; kind++) {
        const struct sample *samples[] = {&measured[kind].seconds, &measured[kind].single_seconds,
                                          &measured[kind].card_bytes, &measured[kind].card_worst};
        const char *names[] = {"seconds", "single_seconds", "card_bytes", "card_worst"};
        fprintf(file, ",\n   \"%s\": {\"messages\": %ld, \"single_messages\": %d", KIND[kind],
                halo[kind].messages, halo[kind].single_count);
        for (int i = 0; i < 4; i++) {
            fprintf(file, ", ");
            sample_json(file, names[i], samples[i]);
        }
        fprintf(file, "}");
    }
    fprintf(file, "}%s\n", separator);
}

static void print_header(const struct arguments *arguments, const struct grids *grids,
                         const struct node_cards *cards) {
    grids_print(arguments, grids);
    printf("# MB/s for each process, medians of %d; single: rate of a single sender over it; card: "
           "bytes that all\n# cards sent in an exchange, and over those of the messages between "
           "nodes\n",
           arguments->repetitions);
    printf("%10s %10s %12s %12s %8s %10s %10s", "# bytes", "iterations", "cart", "caucus", "ratio",
           "single", "single");
    if (cards->there)
        printf(" %14s %8s %14s %8s", "card, cart", "", "card, caucus", "");
    printf("\n");
}

static void measure_size(struct halo halo[KINDS], const struct arguments *arguments, long size,
                         int iterations, struct node_cards *cards,
                         struct measured measured[KINDS]) {
    for (int repetition = 0; repetition < arguments->repetitions; repetition++)
        for (int turn = 0; turn < KINDS; turn++) {
            int kind = (repetition + turn) % KINDS;
            repeat(&halo[kind], size, iterations, cards, &measured[kind]);
        }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct arguments arguments = arguments_read(argc, argv, "128,1024,8192,65536");
    struct grids grids = grids_make(&arguments);
    struct node_cards cards = node_cards_find();
    long largest = 0;
    for (int i = 0; i < arguments.nsizes; i++)
        largest = arguments.sizes[i] > largest ? arguments.sizes[i] : largest;
    struct halo halo[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        halo[kind] = halo_make(grids.cart[kind], arguments.ndims, largest);
    FILE *json = NULL;
    if (grids.rank == 0) {
        print_header(&arguments, &grids, &cards);
        json = grids_json_open(&arguments, &grids, "halo_exchange");
    }
    for (int i = 0; i < arguments.nsizes; i++) {
        static struct measured measured[KINDS];
        memset(measured, 0, sizeof measured);
        int iterations = iterations_for(halo, arguments.sizes[i], arguments.seconds);
        measure_size(halo, &arguments, arguments.sizes[i], iterations, &cards, measured);
        if (grids.rank == 0)
            print_size(halo, &grids, arguments.sizes[i], iterations, measured);
        if (json != NULL)
            json_size(json, halo, arguments.sizes[i], iterations, measured,
                      i + 1 < arguments.nsizes ? "," : "");
    }
    grids_json_close(json);
    for (int kind = 0; kind < KINDS; kind++)
        halo_free(&halo[kind]);
    grids_free(&grids);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
