/* SPDX-License-Identifier: BSD-3-Clause */
/* world IMAGE [options] -- ARGUMENT...: runs the program in IMAGE under many seeds, each in a
 * process of its own, forked from this one, which has loaded a copy of the image for every rank. */
#include "report.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
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
    uint64_t seed, count;
    double seconds;
    int output_count, cpu_seconds, failures;
    bool verbose, deaths_expected;
    char **arguments;
    int argument_count;
} options = {.seed = 1, .count = 1, .expected = "0", .cpu_seconds = 60, .failures = 1};

void world_begin_process(struct process *process);
_Noreturn void world_exit(int status);

/* ---- copies of the image ---- */
struct tls_index {
    unsigned long module, offset;
};
extern void *__tls_get_addr(struct tls_index *);

struct search {
    ElfW(Addr) base;
    struct process *process;
};

static int find_thread_data(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = context;
    (void)size;
    if (info->dlpi_addr != search->base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            struct tls_index index = {info->dlpi_tls_modid, 0};
            struct process *process = search->process;
            process->thread_bytes = info->dlpi_phdr[i].p_memsz;
            process->thread_data = __tls_get_addr(&index);
            process->thread_initial = allocate(process->thread_bytes, 1);
            memcpy(process->thread_initial, process->thread_data, process->thread_bytes);
        }
    return 1;
}

static void load(struct process *process, const char *bytes, size_t size) {
    char path[64];
    int file = memfd_create("image", 0);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size) {
        perror("world: a copy of the image");
        exit(2);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", file); /* kept open: libraries go by name */
    void *image = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!image) {
        fprintf(stderr, "world: %s\n", dlerror());
        exit(2);
    }
    *(void **)&process->main = dlsym(image, "rank_main");
    struct link_map *map;
    dlinfo(image, RTLD_DI_LINKMAP, &map);
    struct search search = {map->l_addr, process};
    dl_iterate_phdr(find_thread_data, &search);
}

static void load_all(void) {
    int file = open(options.image, O_RDONLY);
    off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    char *bytes = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (bytes == MAP_FAILED) {
        fprintf(stderr, "world: %s cannot be read\n", options.image);
        exit(2);
    }
    for (int r = 0; r < settings.ranks; r++) {
        int per_node = (settings.ranks + settings.nodes - 1) / settings.nodes;
        processes[r].rank = r;
        processes[r].node = settings.cyclic_nodes ? r % settings.nodes : r / per_node;
        load(&processes[r], bytes, (size_t)size);
    }
    munmap(bytes, (size_t)size);
    close(file);
}

/* ---- one run, in a process of its own ---- */
static void *run_rank(void *argument) {
    struct process *process = self->process;
    int count = options.argument_count;
    (void)argument;
    char **arguments = NEW(count + 2, char *);
    arguments[0] = strdup(options.image);
    for (int i = 0; i < count; i++)
        arguments[i + 1] = strdup(options.arguments[i]);
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
    struct itimerval limit = {.it_value.tv_sec = options.cpu_seconds};
    setitimer(ITIMER_PROF, &limit, NULL);
}

static _Noreturn void run_world(uint64_t seed, int output) {
    dup2(output, 1);
    dup2(output, 2);
    catch_crashes();
    draw_begin(seed);
    for (int r = 0; r < settings.ranks; r++) {
        world_begin_process(&processes[r]);
        fiber_create(&processes[r], run_rank, NULL);
    }
    schedule();
    finish(RAN, 0, "all ranks ended");
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
    if (options.deaths_expected)
        ;
    else if (strcmp(options.expected, "error") == 0) {
        if (result->status == 0)
            return "exit status 0, but an error was expected";
    } else if (result->status != atoi(options.expected))
        return result->text;
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

static int run_all(void) {
    int output = memfd_create("output", 0), failed = 0;
    double begin = wall();
    uint64_t run = 0;
    long all_steps = 0;
    for (; (options.seconds > 0 ? wall() - begin < options.seconds : run < options.count) &&
           failed < options.failures;
         run++) {
        memset(result, 0, sizeof *result);
        result->outcome = CRASHED;
        snprintf(result->text, sizeof result->text, "it ended without a word");
        if (ftruncate(output, 0) != 0 || lseek(output, 0, SEEK_SET) != 0)
            return 2;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            run_world(options.seed + run, output);
        int status;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        const char *fault = judge(output);
        all_steps += result->steps;
        failed += fault != NULL;
        if (fault || options.verbose)
            print_run(options.seed + run, fault);
        if (options.verbose)
            show_output(output);
    }
    printf("{\"runs\": %llu, \"failed\": %d, \"wall\": %.3f, \"steps\": %ld}\n",
           (unsigned long long)run, failed, wall() - begin, all_steps);
    fflush(stdout);
    return failed > 0;
}

static void usage(void) {
    fprintf(stderr,
            "usage: world --image FILE [--ranks N] [--nodes N] [--cyclic] [--seed N]\n"
            "  [--count N | --seconds S] [--failures N] [--policy N] [--faults NAMES]\n"
            "  [--deaths N] [--steps N] [--keep A-B,...] [--expect 0|N|error|deaths]\n"
            "  [--output TEXT] [--cpu S] [--plain] [--trace] [--verbose] [-- ARGUMENT...]\n");
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
    load_all();
    int status = run_all();
    fflush(stdout);
    _exit(status);
}
