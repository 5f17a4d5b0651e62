/* SPDX-License-Identifier: BSD-3-Clause */
/* Several test programs in one start of MPI, called in turn: starting takes longer than most of
 * them. Each is a shared object whose calls of MPI_Init, MPI_Init_thread, MPI_Finalize and exit
 * come here (the linker's --wrap). The first argument names a file with a program and its arguments
 * a line, separated by tabs; the second is the thread level. Every rank says in begun.RANK which
 * program it is at, so that the one at fault has a name, and in fault.RANK what is wrong: what it
 * prints may be lost when all are ended. After each one nothing may be left on the
 * way to anybody. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_arguments = 32, longest_line = 8192 };

int __wrap_MPI_Init(int *argc, char ***argv);
int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int __wrap_MPI_Finalize(void);
void __wrap_exit(int status);
int __wrap_MPI_Abort(MPI_Comm comm, int status);

static const char *current = "";
static int own_rank, thread_level, begun, finished;

/* A file is there whole or not at all, whenever this process is ended. */
static int write_whole(const char *name, const char *text) {
    char path[32], fresh[40];
    snprintf(path, sizeof path, "%s.%d", name, own_rank);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *file = fopen(fresh, "w");
    return !file || fputs(text, file) < 0 || fclose(file) || rename(fresh, path);
}

static _Noreturn void end_all(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
    for (;;) /* MPICH's may return before it ends this process, which then is in no other program */
        pause();
}

static void fail(const char *what) {
    char text[512];
    snprintf(text, sizeof text, "call_in_turn: %s: rank %d: %s\n", current, own_rank, what);
    fputs(text, stderr);
    write_whole("fault", text);
    end_all(1);
}

int __wrap_MPI_Abort(MPI_Comm comm, int status) {
    (void)comm;
    end_all(status);
}

int __wrap_MPI_Init(int *argc, char ***argv) {
    (void)argc, (void)argv;
    begun++;
    return MPI_SUCCESS;
}

int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    (void)required;
    *provided = thread_level;
    return __wrap_MPI_Init(argc, argv);
}

int __wrap_MPI_Finalize(void) {
    finished++;
    return MPI_SUCCESS;
}

void __wrap_exit(int status) {
    (void)status;
    fail("it called exit");
}

static void say_which(int number) {
    char text[16];
    snprintf(text, sizeof text, "%d\n", number);
    if (write_whole("begun", text))
        fail("it can't say so");
}

/* What a program may have changed for the next one, and must not have left. */
static void clean_up(MPI_Comm own) {
    int arrived;
    MPI_Barrier(own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
    if (arrived)
        fail("a message was left on the way");
    MPI_Barrier(own);
}

static void call(char *line, MPI_Comm own) {
    char *words[most_arguments + 1], *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(line, "\t", &rest); word && count < most_arguments;
         word = strtok_r(NULL, "\t", &rest))
        words[count++] = word;
    words[count] = NULL;
    current = words[0];
    void *program = dlopen(words[0], RTLD_NOW | RTLD_LOCAL);
    int (*entry)(int, char **) = NULL;
    if (program)
        *(void **)&entry = dlsym(program, "main");
    if (!entry)
        fail(dlerror());
    begun = finished = 0;
    int status = entry(count, words);
    if (status)
        fail("its exit status is not 0");
    if (begun != 1 || finished != 1)
        fail("it did not call MPI_Init and MPI_Finalize once each");
    fflush(NULL);
    clean_up(own);
}

int main(int argc, char **argv) {
    static char line[longest_line];
    MPI_Comm own;
    int level = argc > 2 ? atoi(argv[2]) : 0;
    const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                          MPI_THREAD_MULTIPLE};
    FILE *programs = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!programs || level < 0 || level > 3) {
        fprintf(stderr, "call_in_turn: name a file of programs, and a thread level from 0 to 3\n");
        return 2;
    }
    if (level)
        MPI_Init_thread(&argc, &argv, levels[level], &thread_level);
    else
        MPI_Init(&argc, &argv), thread_level = MPI_THREAD_SINGLE;
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    for (int number = 0; fgets(line, sizeof line, programs); number++) {
        say_which(number);
        line[strcspn(line, "\n")] = '\0';
        call(line, own);
    }
    fclose(programs);
    current = "the end";
    MPI_Comm_free(&own);
    MPI_Finalize();
    say_which(-1);
    return 0;
}
