/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/lines.h"

#include "base/status.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 1 << 14, LARGEST_FILE = 1 << 30 };

static int check_text(const char *path, const char *text, size_t length, int64_t *line) {
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        bool line_end = byte == '\r' && (i + 1 == length || text[i + 1] == '\n');
        *line += byte == '\n';
        if ((byte < ' ' && byte != '\t' && byte != '\n' && !line_end) || byte == 127)
            return caucus_fail(CAUCUS_BAD_FILE,
                               "%s:%lld: the line has the control character 0x%02x", path,
                               (long long)*line, byte);
    }
    return CAUCUS_OK;
}

static int read_all(FILE *file, const char *path, char **text) {
    size_t length = 0, room = FIRST_CHUNK;
    for (;;) {
        char *larger = length < LARGEST_FILE ? realloc(*text, room + 1) : NULL;
        if (!larger && length >= LARGEST_FILE)
            return caucus_fail(CAUCUS_BAD_FILE, "%s: the file is larger than 1 GiB", path);
        if (!larger)
            return caucus_fail(CAUCUS_NO_MEMORY, "out of memory: %zu bytes for %s", room + 1, path);
        *text = larger;
        size_t read = fread(*text + length, 1, room - length, file);
        /* Looked at now, so that an endless device is not read to the limit. */
        if (memchr(*text + length, '\0', read))
            return caucus_fail(CAUCUS_BAD_FILE, "%s: the file is no text: it has a zero byte",
                               path);
        length += read;
        if (ferror(file))
            return caucus_fail(CAUCUS_BAD_FILE, "%s: it can't be read: %s", path, strerror(errno));
        if (feof(file))
            break;
        if (length == room)
            room *= 2;
    }
    (*text)[length] = '\0';
    int64_t line = 1;
    return check_text(path, *text, length, &line);
}

int caucus_lines_open(struct caucus_lines *lines, const char *path) {
    memset(lines, 0, sizeof *lines);
    lines->path = path;
    FILE *file = fopen(path, "rb");
    if (!file)
        return caucus_fail(CAUCUS_BAD_FILE, "%s: it can't be opened: %s", path, strerror(errno));
    int status = read_all(file, path, &lines->text);
    fclose(file);
    if (status) {
        caucus_lines_close(lines);
        return status;
    }
    bool byte_order_mark = strncmp(lines->text, "\xEF\xBB\xBF", 3) == 0;
    lines->next = lines->text + (byte_order_mark ? 3 : 0);
    return CAUCUS_OK;
}

/* Cuts the line at its end and its comment, and moves on; NULL beyond the last line. */
static char *next_line(struct caucus_lines *lines) {
    char *line = lines->next;
    if (!*line)
        return NULL;
    while (*lines->next && *lines->next != '\n') /* checked strings would look at all the rest */
        lines->next++;
    if (*lines->next)
        *lines->next++ = '\0';
    lines->number++;
    line[strcspn(line, "#")] = '\0';
    return line;
}

int caucus_lines_next(struct caucus_lines *lines, int limit, char **words) {
    static const char blanks[] = " \t\r";
    for (char *at; (at = next_line(lines));) {
        int count = 0;
        for (at += strspn(at, blanks); *at; at += strspn(at, blanks)) {
            char *word = at;
            at += strcspn(at, blanks);
            if (*at)
                *at++ = '\0';
            if (count < limit)
                words[count] = word;
            count++;
        }
        if (count > 0)
            return count;
    }
    return 0;
}

void caucus_lines_close(struct caucus_lines *lines) {
    free(lines->text);
    memset(lines, 0, sizeof *lines);
}
