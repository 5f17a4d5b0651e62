/* SPDX-License-Identifier: BSD-3-Clause */
/* The dynamic symbols of a loaded object. */
#ifndef CAUCUS_DROPIN_SYMBOLS_H
#define CAUCUS_DROPIN_SYMBOLS_H

#include <link.h>

typedef void caucus_symbol_visitor(const char *name, void *extra);

/* Each name that the object defines; and each that its relocations name and it does not define, a
 * name several times perhaps. */
void caucus_symbols_defined(const struct dl_phdr_info *object, caucus_symbol_visitor *visit,
                            void *extra);
void caucus_symbols_needed(const struct dl_phdr_info *object, caucus_symbol_visitor *visit,
                           void *extra);

#endif
