/* SPDX-License-Identifier: BSD-3-Clause */
/* world IMAGE [options] -- ARGUMENT...: runs the program in IMAGE under many seeds, some one after
 * another in a process forked from this one, which has loaded a copy of the image for every rank.
 * After a failure a process ends, and a seed that failed is repeated in one of its own. An argument
 * {seed} stands for the seed of each run. */
#include "report.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OUTPUTS = 16 };
static const char *const outcome_names[] = {"ran",     "hang",   "livelock", "aborted",
                                            "crashed", "broken", "stuck"};

static struct options {
    const char *image, *expected, *outputs[MOST_OUTPUTS];
    uint64_t seed, count, batch; /* so many runs in one process */
    double seconds;
    int output_count, cpu_seconds, failures;
    bool verbose, deaths_expected;
    char **arguments;
    int argument_count;
} options = {
    .seed = 1, .count = 1, .batch = 200, .expected = "0", .cpu_seconds = 60, .failures = 1};

void world_begin_process(struct process *process);
_Noreturn void world_exit(int status);

/* ---- one run ---- */
static uint64_t run_seed;

/* {seed}: a program that draws what it does is another one with every run. */
static char *argument_of_run(const char *word) {
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)run_seed);
    return strdup(strcmp(word, "{seed}") == 0 ? number : word);
}

static void *run_rank(void *argument) {
    struct process *process = self->process;
    int count = options.argument_count;
    (void)argument;
    char **arguments = NEW(count + 2, char *);
    arguments[0] = strdup(options.image);
    for (int i = 0; i < count; i++)
        arguments[i + 1] = argument_of_run(options.arguments[i]);
    world_exit(process->main(count + 1, arguments)); /* and its threads with it */
}

static void crashed(int signal) {
    void *frames[40];
    int rank = self ? self->process->rank : -1;
    if (settings.trace)
        backtrace_symbols_fd(frames, backtrace(frames, 40), 2);
    if (signal == SIGPROF)
        finish(STUCK, 1, "rank %d: no choice point, or more than %d s, last call %s", rank,
               options.cpu_seconds, self ? self->call.name : "none");
    finish(CRASHED, 128 + signal, "rank %d: signal %d (%s), last call %s", rank, signal,
           strsignal(signal), self ? self->call.name : "none");
}

static void catch_crashes(void) {
    static char stack[1 << 16];
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = crashed, .sa_flags = SA_ONSTACK},
                  NULL);
}

static void run_world(uint64_t seed) {
    struct itimerval limit = {.it_value.tv_sec = options.cpu_seconds};
    setitimer(ITIMER_PROF, &limit, NULL);
    result_begin();
    draw_begin(seed);
    run_seed = seed;
    for (int r = 0; r < settings.ranks; r++) {
        world_begin_process(&processes[r]);
        fiber_create(&processes[r], run_rank, NULL);
    }
    schedule();
    conclude(RAN, 0, "all ranks ended");
}

/* ---- what came of it ---- */
static bool has_output(int output, const char *text) {
    off_t size = lseek(output, 0, SEEK_END);
    if (size <= 0)
        return false;
    char *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, output, 0);
    bool found = memmem(bytes, (size_t)size, text, strlen(text)) != NULL;
    munmap(bytes, (size_t)size);
    return found;
}

/* Why the run is a failure; NULL if it is not. */
static const char *judge(int output) {
    static char text[2 * TEXT];
    bool ended = result->outcome == RAN || result->outcome == ABORTED;
    if (!ended && !(result->outcome == CRASHED && strcmp(options.expected, "error") == 0))
        return result->text;
    if (options.deaths_expected) { /* which are no aborts */
        if (result->outcome == ABORTED)
            return result->text;
    } else if (strcmp(options.expected, "error") == 0) {
        if (result->status == 0)
            return "exit status 0, but an error was expected";
    } else if (result->status != atoi(options.expected))
        return result->text;
    /* What failed may leave some. */
    bool leaves = options.deaths_expected || result->errors > 0 || getenv("WORLD_LEAVES");
    if (result->outcome == RAN && result->messages > 0 && !leaves) {
        snprintf(text, sizeof text, "%d messages were never received", result->messages);
        return text;
    }
    for (int i = 0; i < options.output_count; i++)
        if (!has_output(output, options.outputs[i])) {
            snprintf(text, sizeof text, "its output lacks: %s", options.outputs[i]);
            return text;
        }
    return NULL;
}

static void print_escaped(const char *text) {
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text >= ' ')
            putchar(*text);
        else
            printf("\\u%04x", (unsigned)*text);
}

static void print_run(uint64_t seed, const char *fault) {
    printf("{\"seed\": %llu, \"outcome\": \"%s\", \"good\": %s, \"steps\": %ld, \"draws\": %llu, "
           "\"seconds\": %.6f, \"requests\": %d, \"comms\": %d, \"messages\": %d, \"text\": \"",
           (unsigned long long)seed, outcome_names[result->outcome], fault ? "false" : "true",
           result->steps, (unsigned long long)result->draws, result->seconds, result->requests,
           result->comms, result->messages);
    print_escaped(fault ? fault : result->text);
    printf("\"}\n");
    fflush(stdout);
}

static void show_output(int output) {
    char line[4096];
    ssize_t got;
    lseek(output, 0, SEEK_SET);
    while ((got = read(output, line, sizeof line)) > 0)
        if (write(2, line, (size_t)got) != got)
            return;
}

static double wall(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static double processor_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

/* ---- many runs ---- */
/* Runs from a seed on until one fails, as many as wanted are done, or it is time. */
static _Noreturn void run_batch(uint64_t seed, uint64_t count, double until, int output) {
    dup2(output, 1);
    dup2(output, 2);
    catch_crashes();
    arena_begin();
    variables_keep();
    for (uint64_t i = 0; i < count; i++) {
        run_world(seed + i);
        if (judge(output) || i + 1 == count || wall() > until)
            break;
        result_keep();
        variables_restore();
        if (ftruncate(output, 0) != 0 || lseek(output, 0, SEEK_SET) != 0)
            break;
    }
    _exit(0);
}

/* What was wrong with the last run; NULL if nothing. */
static const char *start_batch(uint64_t seed, uint64_t count, double until, int output) {
    int status;
    if (ftruncate(output, 0) != 0 || lseek(output, 0, SEEK_SET) != 0)
        exit(2);
    result_forget();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run_batch(seed, count, until, output);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return judge(output);
}

/* A run that failed after others in one process must do so in its own. */
static const char *confirm(uint64_t seed, const char *fault, int output) {
    static char text[2 * TEXT + 64];
    snprintf(text, sizeof text, "only after other runs in one process: %s", fault);
    fault = start_batch(seed, 1, 0, output);
    return fault ? fault : text;
}

static int run_all(void) {
    int output = memfd_create("output", 0), failed = 0;
    double begin = wall(), until = begin + (options.seconds > 0 ? options.seconds : 1e9);
    uint64_t run = 0, choices = 0;
    long all_steps = 0;
    while ((options.seconds > 0 ? wall() < until : run < options.count) &&
           failed < options.failures) {
        uint64_t most = options.verbose ? 1 : options.batch;
        if (options.seconds <= 0 && most > options.count - run)
            most = options.count - run;
        const char *fault = start_batch(options.seed + run, most, until, output);
        uint64_t done = result->done;
        all_steps += result->all_steps + result->steps;
        choices += result->all_choices;
        run += done + 1;
        if (fault && done > 0)
            fault = confirm(options.seed + run - 1, fault, output);
        failed += fault != NULL;
        if (fault || options.verbose)
            print_run(options.seed + run - 1, fault);
        if (options.verbose)
            show_output(output);
    }
    printf("{\"runs\": %llu, \"failed\": %d, \"wall\": %.3f, \"cpu\": %.3f, \"steps\": %ld, "
           "\"choices\": \"%016llx\"}\n",
           (unsigned long long)run, failed, wall() - begin, processor_seconds(), all_steps,
           (unsigned long long)choices);
    fflush(stdout);
    return failed > 0;
}

static void usage(void) {
    fprintf(stderr,
            "usage: world --image FILE [--ranks N] [--nodes N] [--cyclic] [--seed N]\n"
            "  [--count N | --seconds S] [--batch N] [--failures N] [--policy N] [--faults NAMES]\n"
            "  [--deaths N] [--steps N] [--keep A-B,...] [--expect 0|N|error|deaths]\n"
            "  [--output TEXT] [--cpu S] [--plain] [--calls-only] [--trace] [--verbose]\n"
            "  [-- ARGUMENT...]\n");
    exit(2);
}

static bool read_option(const char *name, const char *value) {
    if (strcmp(name, "--image") == 0)
        options.image = value;
    else if (strcmp(name, "--ranks") == 0)
        settings.ranks = atoi(value);
    else if (strcmp(name, "--nodes") == 0)
        settings.nodes = atoi(value);
    else if (strcmp(name, "--seed") == 0)
        options.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--count") == 0)
        options.count = strtoull(value, NULL, 10);
    else if (strcmp(name, "--batch") == 0)
        options.batch = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        options.seconds = atof(value);
    else if (strcmp(name, "--failures") == 0)
        options.failures = atoi(value);
    else if (strcmp(name, "--policy") == 0)
        settings.policy = atoi(value);
    else if (strcmp(name, "--deaths") == 0)
        settings.deaths = atoi(value);
    else if (strcmp(name, "--steps") == 0)
        settings.steps = atol(value);
    else if (strcmp(name, "--cpu") == 0)
        options.cpu_seconds = atoi(value);
    else if (strcmp(name, "--expect") == 0)
        options.expected = value;
    else if (strcmp(name, "--output") == 0 && options.output_count < MOST_OUTPUTS)
        options.outputs[options.output_count++] = value;
    else if (strcmp(name, "--faults") == 0)
        return (settings.faults = faults_read(value)) >= 0;
    else if (strcmp(name, "--keep") == 0)
        return draw_keep(value);
    else
        return false;
    return true;
}

static void read_options(int count, char **words) {
    settings =
        (struct settings){.ranks = 2, .nodes = 1, .policy = -1, .steps = 20000000, .spurious = 1};
    if (getenv("WORLD_REFUSALS"))
        settings.refusals = atoi(getenv("WORLD_REFUSALS"));
    if (getenv("WORLD_DEATHS"))
        settings.deaths = atoi(getenv("WORLD_DEATHS"));
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--") == 0) {
            options.arguments = words + i + 1;
            options.argument_count = count - i - 1;
            break;
        }
        if (strcmp(words[i], "--trace") == 0)
            settings.trace = true;
        else if (strcmp(words[i], "--verbose") == 0)
            options.verbose = true;
        else if (strcmp(words[i], "--cyclic") == 0)
            settings.cyclic_nodes = true;
        else if (strcmp(words[i], "--calls-only") == 0)
            settings.calls_only = true;
        else if (strcmp(words[i], "--plain") == 0)
            settings.spurious = 0;
        else if (i + 1 == count || !read_option(words[i], words[i + 1]))
            usage();
        else
            i++;
    }
    options.deaths_expected = strcmp(options.expected, "deaths") == 0;
    settings.ends_anyhow = options.deaths_expected;
    if (!options.image || settings.ranks < 1 || settings.ranks > MOST_PROCESSES ||
        settings.nodes < 1)
        usage();
}

/* The same addresses in every run: a program may depend on them. */
static void fix_addresses(char **words) {
    int persona = personality(0xffffffff);
    if (persona != -1 && !(persona & ADDR_NO_RANDOMIZE) &&
        personality((unsigned long)persona | ADDR_NO_RANDOMIZE) != -1)
        execv("/proc/self/exe", words);
}

int main(int count, char **words) {
    read_options(count, words);
    fix_addresses(words);
    setenv("OMPI_MCA_btl", "self", 0); /* a second less: the others look for networks */
    result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (result == MAP_FAILED || PMPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 2;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    library_begin();
    stacks_begin();
    images_load(options.image);
    int status = run_all();
    fflush(stdout);
    _exit(status);
}
