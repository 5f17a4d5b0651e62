/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands for a buffer without one address: a section of an array in Fortran, with gaps. Calls
 * that use buffers after they have returned refuse it, where they check their buffers, so that all
 * ranks learn of it. */
#ifndef CAUCUS_RUN_LAYOUT_SECTION_H
#define CAUCUS_RUN_LAYOUT_SECTION_H

/* Its address, which is no user's. */
void *caucus_array_section(void);

/* Whether the buffer is another one. */
int caucus_check_section(const void *buffer, const char *name);

#endif
