/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/symbols.h"

#include <stddef.h>
#include <stdint.h>

struct relocations {
    const char *first;
    size_t bytes, each;
};

struct tables {
    const ElfW(Sym) * symbol;
    const char *text;
    const uint32_t *gnu_hash;
    const ElfW(Word) * hash;
    struct relocations plain, with_addend, calls;
};

bool caucus_symbols_hold(const struct dl_phdr_info *object, const void *address) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t first = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)address >= first &&
            (uintptr_t)address < first + object->dlpi_phdr[i].p_memsz)
            return true;
    }
    return false;
}

/* Loaders differ in whether they relocate what the dynamic section points to. */
static const void *at(const struct dl_phdr_info *object, ElfW(Addr) address) {
    if (address == 0)
        return NULL;
    return (const void *)(address < object->dlpi_addr ? address + object->dlpi_addr : address);
}

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    return NULL;
}

/* What the dynamic section says of each tag, 0 where it is silent. */
static struct tables tables_of(const struct dl_phdr_info *object) {
    ElfW(Addr) said[DT_NUM] = {0}, gnu_hash = 0;
    const ElfW(Dyn) *entry = dynamic_of(object);
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag > 0 && entry->d_tag < DT_NUM)
            said[entry->d_tag] = entry->d_un.d_val;
        else if (entry->d_tag == DT_GNU_HASH)
            gnu_hash = entry->d_un.d_ptr;
    }
    bool with_addend = said[DT_PLTREL] != DT_REL;
    return (struct tables){
        .symbol = at(object, said[DT_SYMTAB]),
        .text = at(object, said[DT_STRTAB]),
        .gnu_hash = at(object, gnu_hash),
        .hash = at(object, said[DT_HASH]),
        .plain = {at(object, said[DT_REL]), said[DT_RELSZ], sizeof(ElfW(Rel))},
        .with_addend = {at(object, said[DT_RELA]), said[DT_RELASZ], sizeof(ElfW(Rela))},
        .calls = {at(object, said[DT_JMPREL]), said[DT_PLTRELSZ],
                  with_addend ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel))},
    };
}

/* The table of GNU's: its buckets begin lists, each to the end that the lowest bit marks. */
static size_t count_by_gnu_hash(const uint32_t *table) {
    uint32_t buckets = table[0], first = table[1], last = 0;
    const uint32_t *bucket = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
    const uint32_t *chain = bucket + buckets;
    for (uint32_t i = 0; i < buckets; i++)
        last = bucket[i] > last ? bucket[i] : last;
    if (last < first)
        return 0;
    while (!(chain[last - first] & 1))
        last++;
    return (size_t)last + 1;
}

void caucus_symbols_defined(const struct dl_phdr_info *object, caucus_symbol_visitor *visit,
                            void *extra) {
    const struct tables tables = tables_of(object);
    size_t count = 0;
    if (!tables.symbol || !tables.text)
        return;
    if (tables.gnu_hash)
        count = count_by_gnu_hash(tables.gnu_hash);
    else if (tables.hash)
        count = tables.hash[1];
    for (size_t i = 1; i < count; i++)
        if (tables.symbol[i].st_shndx != SHN_UNDEF)
            visit(tables.text + tables.symbol[i].st_name,
                  (void *)(object->dlpi_addr + tables.symbol[i].st_value), extra);
}

static size_t symbol_of(ElfW(Xword) info) {
    return sizeof(ElfW(Addr)) == 8 ? (size_t)(info >> 32) : (size_t)(info >> 8);
}

static void visit_all(const struct dl_phdr_info *object, const struct tables *tables,
                      const struct relocations *list, caucus_symbol_visitor *visit, void *extra) {
    for (size_t at = 0; list->first && at + list->each <= list->bytes; at += list->each) {
        /* both kinds begin alike */
        const ElfW(Rel) *relocation = (const ElfW(Rel) *)(const void *)(list->first + at);
        const ElfW(Sym) *symbol = &tables->symbol[symbol_of(relocation->r_info)];
        void *place = (void *)(object->dlpi_addr + relocation->r_offset);
        if (symbol != tables->symbol && symbol->st_shndx == SHN_UNDEF)
            visit(tables->text + symbol->st_name, symbol->st_value ? NULL : place, extra);
    }
}

void caucus_symbols_needed(const struct dl_phdr_info *object, caucus_symbol_visitor *visit,
                           void *extra) {
    const struct tables tables = tables_of(object);
    if (!tables.symbol || !tables.text)
        return;
    visit_all(object, &tables, &tables.plain, visit, extra);
    visit_all(object, &tables, &tables.with_addend, visit, extra);
    visit_all(object, &tables, &tables.calls, visit, extra);
}

/* Some of these words may be no variable: a sanitizer minds. */
__attribute__((no_sanitize("address", "thread"))) void
caucus_symbols_kept(const struct dl_phdr_info *object, caucus_word_visitor *visit, void *extra) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t first = object->dlpi_addr + part->p_vaddr, size = sizeof(void *);
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        uintptr_t end = first + part->p_memsz;
        for (uintptr_t at = (first + size - 1) / size * size; at + size <= end; at += size)
            visit(*(void *const volatile *)at, extra);
    }
}
