/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of libFuzzer: hands a target the files that are named, or those of folders, and then
 * with `--seconds S [SEED]` changed ones of them for so long. Prints how many inputs that were. */
#include "fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 120 }; /* seconds of an input: a loop without end */

struct saved {
    uint8_t *bytes;
    size_t size;
};

static struct saved *saved;
static size_t count, room;
static uint64_t seed = 1;

static uint64_t draw(uint64_t end) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % end;
}

static const uint8_t *current;
static size_t current_size;

static void show(const char *words, size_t length) {
    ssize_t written = write(STDERR_FILENO, words, length);
    (void)written;
}

/* Names the input that ends the program: in hexadecimal, for xxd -r -p. A handler may not print. */
static void show_current(int number) {
    static const char digit[] = "0123456789abcdef", words[] = "ended by the input ";
    show(words, sizeof words - 1);
    for (size_t i = 0; i < current_size; i++)
        show((const char[]){digit[current[i] >> 4], digit[current[i] & 15]}, 2);
    show("\n", 1);
    signal(number, SIG_DFL);
    raise(number);
}

/* In a block of just its size, so that a sanitizer sees reads beyond its end. */
static void hand(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    fuzz_expect(copy != NULL, "memory");
    memcpy(copy, bytes, size);
    current = bytes;
    current_size = size;
    alarm(LONGEST);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    struct saved one = {malloc(1 << 20), 0};
    fuzz_expect(file && one.bytes, path);
    one.size = fread(one.bytes, 1, 1 << 20, file);
    fclose(file);
    if (count == room) {
        room = room ? 2 * room : 64;
        struct saved *more = realloc(saved, room * sizeof *saved);
        fuzz_expect(more != NULL, "memory");
        saved = more;
    }
    saved[count++] = one;
    fprintf(stderr, "%s\n", path); /* the last line names the input that ends the program */
    hand(one.bytes, one.size);
}

static void replay(const char *path) {
    struct stat told;
    fuzz_expect(stat(path, &told) == 0, path);
    if (!S_ISDIR(told.st_mode)) {
        replay_file(path);
        return;
    }
    DIR *folder = opendir(path);
    fuzz_expect(folder != NULL, path);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            replay_file(name);
    }
    closedir(folder);
}

/* One saved input with a few bytes changed, put in, or taken out. */
static void change(void) {
    const struct saved *one = &saved[draw(count)];
    size_t size = one->size;
    uint8_t *bytes = malloc(size + 64);
    fuzz_expect(bytes != NULL, "memory");
    memcpy(bytes, one->bytes, size);
    for (uint64_t changes = 1 + draw(6); changes > 0; changes--) {
        size_t at = size ? draw(size) : 0;
        if (draw(4) == 0 && size > 0) {
            memmove(bytes + at, bytes + at + 1, size-- - at - 1);
        } else if (draw(3) == 0 && size < one->size + 64) {
            memmove(bytes + at + 1, bytes + at, size++ - at);
            bytes[at] = (uint8_t)draw(256);
        } else if (size > 0) {
            bytes[at] = (uint8_t)draw(256);
        }
    }
    hand(bytes, size);
    free(bytes);
}

static void change_for(double seconds) {
    struct timespec begin, now;
    long changed = 0;
    printf("changed ones from seed %llu on\n", (unsigned long long)seed);
    fflush(stdout);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        for (int i = 0; i < 20; i++, changed++)
            change();
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) <
             seconds);
    printf("%ld changed inputs\n", changed);
}

int main(int argc, char **argv) {
    double seconds = 0;
    signal(SIGABRT, show_current);
    signal(SIGALRM, show_current);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            seconds = atof(argv[++i]);
            seed = i + 1 < argc ? strtoull(argv[++i], NULL, 10) : (uint64_t)time(NULL);
        } else {
            replay(argv[i]);
        }
    }
    printf("%zu saved inputs\n", count);
    if (seconds > 0 && count)
        change_for(seconds);
    for (size_t i = 0; i < count; i++)
        free(saved[i].bytes);
    free(saved);
    return 0;
}
