/* SPDX-License-Identifier: BSD-3-Clause */
/* The dynamic symbols of a loaded object. */
#ifndef CAUCUS_DROPIN_SYMBOLS_H
#define CAUCUS_DROPIN_SYMBOLS_H

#include <link.h>
#include <stdbool.h>

/* Whether the address is in what was loaded of the object. */
bool caucus_symbols_hold(const struct dl_phdr_info *object, const void *address);

typedef void caucus_symbol_visitor(const char *name, void *place, void *extra);

/* Each name that the object defines, with its address; and each that its relocations name and it
 * does not define, with the place that they fill, a name several times perhaps. The place is NULL
 * where a program that is linked for one address has a piece of code of its own that stands for the
 * function, for all that is loaded: what fills the place is then called by whoever calls it. */
void caucus_symbols_defined(const struct dl_phdr_info *object, caucus_symbol_visitor *visit,
                            void *extra);
void caucus_symbols_needed(const struct dl_phdr_info *object, caucus_symbol_visitor *visit,
                           void *extra);

/* Each word of the object's memory for variables, as if it was an address. */
typedef void caucus_word_visitor(const void *word, void *extra);
void caucus_symbols_kept(const struct dl_phdr_info *object, caucus_word_visitor *visit,
                         void *extra);

#endif
