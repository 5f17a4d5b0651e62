/* SPDX-License-Identifier: BSD-3-Clause */
/* What surrounds the marks of a diagram: the page, its heading, the time axis. */
#ifndef CAUCUS_STUDY_DRAW_PAGE_H
#define CAUCUS_STUDY_DRAW_PAGE_H

#include "study/simulate/simulate.h"

#include <stdio.h>

void caucus_page_begin(FILE *file, double width, double height, const char *title);
void caucus_page_heading(FILE *file, double x, const char *title,
                         const struct caucus_simulation *simulation);
void caucus_page_axis(FILE *file, double left, double width, double top, double bottom,
                      double seconds);

/* Returns about how wide the text is. */
double caucus_page_text(FILE *file, double x, double y, double size, const char *color,
                        const char *anchor, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* The name by which the marks of a kind are found in the file. */
const char *caucus_page_class(int mark_kind);

#endif
