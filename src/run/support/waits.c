/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/waits.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/refused.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/support/notice.h"
#include "run/support/world.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 1200, CALL = 600, LOOKS_FOR_ANSWER = 20, FILE_NAME = 4096 };

static const struct timespec nap = {.tv_nsec = 50000000};

struct caucus_waits {
    FILE *file; /* NULL: standard error */
    int rank, lines;
};

_Atomic bool caucus_waits_asked;
_Thread_local struct caucus_waits_call *caucus_waits_calls;
static _Atomic bool listens;
static struct caucus_waits_source *sources;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int world_rank;
static const char *folder; /* "": none */

void caucus_waits_add(struct caucus_waits_source *source) {
    pthread_mutex_lock(&lock);
    source->next = sources;
    sources = source;
    pthread_mutex_unlock(&lock);
}

void caucus_waits_remove(struct caucus_waits_source *source) {
    pthread_mutex_lock(&lock);
    struct caucus_waits_source **at = &sources;
    while (*at && *at != source)
        at = &(*at)->next;
    if (*at)
        *at = source->next;
    pthread_mutex_unlock(&lock);
}

/* The ranks of comm, in the world: -1 for those that are not in it. */
static void write_members(FILE *file, MPI_Comm comm) {
    int size;
    PMPI_Comm_size(comm, &size);
    int *place = caucus_array(size, sizeof *place);
    bool told = place && caucus_world_ranks(comm, size, place);
    for (int i = 0; told && i < size; i++)
        fprintf(file, "%s%d", i ? "," : "", place[i]);
    free(place);
}

void caucus_waits_line(struct caucus_waits *waits, MPI_Comm comm, const char *format, ...) {
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    waits->lines++;
    if (!waits->file) {
        fprintf(stderr, "caucus: rank %d of %s: %s\n", waits->rank, caucus_world_name(), text);
        return;
    }
    if (comm != MPI_COMM_NULL)
        write_members(waits->file, comm);
    fprintf(waits->file, "\t%s\n", text);
}

static void tell_calls(struct caucus_waits *waits) {
    char text[CALL];
    for (const struct caucus_waits_call *at = caucus_waits_calls; at; at = at->outer) {
        at->explain(at->context, text, sizeof text);
        caucus_waits_line(waits, at->comm, "in %s: %s", at->name, text);
    }
}

static void tell_all(struct caucus_waits *waits, bool apart) {
    if (apart)
        caucus_waits_line(waits, MPI_COMM_NULL,
                          "in no call of Caucus: it computes, or waits inside MPI");
    else
        tell_calls(waits);
    if (pthread_mutex_trylock(&lock) != 0)
        return; /* one is added or taken out just now */
    for (struct caucus_waits_source *at = sources; at; at = at->next)
        at->tell(at->context, waits, apart);
    pthread_mutex_unlock(&lock);
    if (!waits->lines)
        caucus_waits_line(waits, MPI_COMM_NULL,
                          "in a call of Caucus, and waits for nothing that "
                          "it could name");
}

/* Whoever reads the file finds it whole. */
void caucus_waits_tell(bool apart) {
    struct caucus_waits waits = {.rank = world_rank};
    char path[FILE_NAME], made[FILE_NAME + 8];
    if (!atomic_exchange(&caucus_waits_asked, false))
        return;
    if (*folder) {
        snprintf(path, sizeof path, "%s/rank-%d", folder, world_rank);
        snprintf(made, sizeof made, "%s.part", path);
        waits.file = fopen(made, "w");
    }
    tell_all(&waits, apart);
    if (waits.file && fclose(waits.file) == 0)
        rename(made, path);
}

static void hear(int number) {
    (void)number;
    atomic_store(&caucus_waits_asked, true);
}

static bool is_asked_by_file(void) {
    static bool told;
    char path[FILE_NAME];
    if (told || !*folder)
        return false;
    snprintf(path, sizeof path, "%s/tell", folder);
    told = access(path, F_OK) == 0;
    return told;
}

static void *attend(void *context) {
    (void)context;
    for (int unheard = 0;;) {
        nanosleep(&nap, NULL);
        if (is_asked_by_file())
            atomic_store(&caucus_waits_asked, true);
        unheard = atomic_load(&caucus_waits_asked) ? unheard + 1 : 0;
        if (unheard > LOOKS_FOR_ANSWER)
            caucus_waits_tell(true);
    }
    return NULL;
}

/* 0: none is named; -1: it is not known. */
static int signal_named(const char *name) {
    static const struct {
        const char *name;
        int number;
    } known[] = {{"HUP", SIGHUP}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"WINCH", SIGWINCH}};
    if (!*name)
        return 0;
    if (strncasecmp(name, "SIG", 3) == 0)
        name += 3;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(name, known[i].name) == 0)
            return known[i].number;
    return -1;
}

static int read_signal(int *number) {
    const char *text = caucus_setting_text(CAUCUS_SETTING_SIGNAL);
    *number = signal_named(text);
    if (*number >= 0)
        return CAUCUS_OK;
    return caucus_setting_blame(
        CAUCUS_SETTING_SIGNAL,
        caucus_fail(CAUCUS_BAD_ARGUMENT,
                    "CAUCUS_SIGNAL is '%.60s': it must be HUP, USR1, USR2 or WINCH", text));
}

int caucus_waits_check_settings(void) {
    int number, status = read_signal(&number);
    return status ? status : caucus_path_check(CAUCUS_SETTING_WAITS, CAUCUS_PATH_FOLDER, 0);
}

/* Never in the place of a handler of the program's, or of MPI's; ours may be there from a beginning
 * that failed. */
static void listen_to(int number) {
    struct sigaction old, ours = {.sa_handler = hear, .sa_flags = SA_RESTART};
    sigemptyset(&ours.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
        (old.sa_handler == SIG_DFL || old.sa_handler == hear))
        sigaction(number, &ours, NULL);
    else if (world_rank == 0)
        caucus_notice("the signal of CAUCUS_SIGNAL has a handler already, which stays: choose "
                      "another one");
}

bool caucus_waits_may_be_asked(void) {
    return atomic_load_explicit(&listens, memory_order_relaxed);
}

static int begin(void) {
    pthread_t thread;
    sigset_t all, before;
    folder = caucus_setting_text(CAUCUS_SETTING_WAITS);
    int number, status = read_signal(&number);
    if (status)
        return status;
    if (!number && !*folder)
        return CAUCUS_OK;
    world_rank = caucus_world_rank();
    if (number)
        listen_to(number);
    sigfillset(&all); /* the program's signals go to its own threads */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int error = pthread_create(&thread, NULL, attend, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        return caucus_fail(CAUCUS_NO_MEMORY, "no thread could be started for CAUCUS_SIGNAL or "
                                             "CAUCUS_WAITS");
    pthread_detach(thread);
    listens = true;
    return CAUCUS_OK;
}

int caucus_waits_begin(void) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    static bool begun;
    int status = CAUCUS_OK;
    pthread_mutex_lock(&once);
    if (!begun)
        status = begin();
    begun = status == CAUCUS_OK;
    pthread_mutex_unlock(&once);
    return status;
}
