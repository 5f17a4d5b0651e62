/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/draw/page.h"

#include "study/draw/draw.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void escaped(FILE *file, const char *text) {
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
}

double caucus_page_text(FILE *file, double x, double y, double size, const char *color,
                        const char *anchor, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" fill=\"%s\" text-anchor=\"%s\">",
            x, y, size, color, anchor);
    escaped(file, text);
    fprintf(file, "</text>\n");
    return 0.53 * size * (double)strlen(text); /* about, of a sans-serif */
}

const char *caucus_page_class(int mark_kind) {
    static const char *const names[CAUCUS_MARKS] = {
        [CAUCUS_MARK_SEND] = "send",      [CAUCUS_MARK_COPY] = "copy",
        [CAUCUS_MARK_REDUCE] = "reduce",  [CAUCUS_MARK_AWAIT] = "await",
        [CAUCUS_MARK_SIGNAL] = "signal",  [CAUCUS_MARK_WITHIN] = "within",
        [CAUCUS_MARK_BETWEEN] = "between"};
    return names[mark_kind];
}

void caucus_page_begin(FILE *file, double width, double height, const char *title) {
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" fill=\"none\" "
            "font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\">\n<title>",
            width, height, width, height);
    escaped(file, title);
    fprintf(file, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
}

/* The unit in which a time has one to three digits before the point. */
static const char *unit_of(double seconds, double *factor) {
    static const char *const names[] = {"s", "ms", "µs", "ns"};
    int unit = 0;
    *factor = 1;
    while (unit < 3 && seconds * *factor < 1) {
        *factor *= 1e3;
        unit++;
    }
    return names[unit];
}

static const char *bytes_in_words(int64_t bytes, char *room, size_t size) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1024 && unit < 4; unit++)
        value /= 1024;
    snprintf(room, size, "%.4g %s", value, units[unit]);
    return room;
}

void caucus_page_heading(FILE *file, double x, const char *title,
                         const struct caucus_simulation *simulation) {
    char between[32], within[32];
    double factor;
    const char *unit = unit_of(simulation->seconds, &factor);
    fprintf(file, "<g font-weight=\"bold\">\n");
    caucus_page_text(file, x, 28, 16, "#24292f", "start", "%s", title);
    fprintf(file, "</g>\n");
    caucus_page_text(
        file, x, 48, 12, "#57606a", "start",
        "%.4g %s; %lld messages between nodes (%s), %lld within (%s)", simulation->seconds * factor,
        unit, (long long)simulation->messages[CAUCUS_BETWEEN_NODES],
        bytes_in_words(simulation->bytes[CAUCUS_BETWEEN_NODES], between, sizeof between),
        (long long)simulation->messages[CAUCUS_WITHIN_NODE],
        bytes_in_words(simulation->bytes[CAUCUS_WITHIN_NODE], within, sizeof within));
}

/* 1, 2 or 5 times a power of ten, such that there are 5 to 12 ticks. */
static double tick(double all) {
    double power = pow(10, floor(log10(all)));
    double parts = all / power;
    return power * (parts < 2 ? 0.2 : parts < 5 ? 0.5 : 1);
}

void caucus_page_axis(FILE *file, double left, double width, double top, double bottom,
                      double seconds) {
    double factor;
    const char *unit = unit_of(seconds, &factor);
    double all = seconds * factor, step = all > 0 ? tick(all) : 1;
    for (int i = 0; i * step <= all * (1 + 1e-9); i++) {
        double x = left + (all > 0 ? width * i * step / all : 0);
        fprintf(file, "<path stroke=\"#dde2e7\" stroke-width=\"0.8\" d=\"M%.1f %.1fV%.1f\"/>\n", x,
                top, bottom + 5);
        caucus_page_text(file, x, bottom + 18, 11, "#24292f", "middle", "%.4g", i * step);
    }
    caucus_page_text(file, left + width / 2, bottom + 36, 12, "#24292f", "middle", "time in %s",
                     unit);
}
