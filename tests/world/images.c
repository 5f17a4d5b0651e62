/* SPDX-License-Identifier: BSD-3-Clause */
/* The copies of a program, one for each rank, and what all variables were before the first run: a
 * process that has done a run sets them back and does another. */
#include "world.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static ElfW(Addr) bases[MOST_PROCESSES];

/* ---- copies of the image ---- */
struct tls_index {
    unsigned long module, offset;
};
extern void *__tls_get_addr(struct tls_index *);

struct search {
    ElfW(Addr) base;
    struct process *process;
};

static int find_thread_data(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = context;
    (void)size;
    if (info->dlpi_addr != search->base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            struct tls_index index = {info->dlpi_tls_modid, 0};
            struct process *process = search->process;
            process->thread_bytes = info->dlpi_phdr[i].p_memsz;
            process->thread_data = __tls_get_addr(&index);
            process->thread_initial = allocate(process->thread_bytes, 1);
            memcpy(process->thread_initial, process->thread_data, process->thread_bytes);
        }
    return 1;
}

static void load(struct process *process, const char *bytes, size_t size) {
    char name[64];
    int file = memfd_create("image", 0);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size) {
        perror("world: a copy of the image");
        exit(2);
    }
    snprintf(name, sizeof name, "/proc/self/fd/%d", file); /* kept open: libraries go by name */
    void *image = dlopen(name, RTLD_NOW | RTLD_LOCAL);     /* bound before it is copied */
    if (!image) /* a function that the world lacks: perhaps nobody calls it */
        image = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!image) {
        fprintf(stderr, "world: %s\n", dlerror());
        exit(2);
    }
    *(void **)&process->main = dlsym(image, "rank_main");
    struct link_map *map;
    dlinfo(image, RTLD_DI_LINKMAP, &map);
    bases[process->rank] = map->l_addr;
    struct search search = {map->l_addr, process};
    dl_iterate_phdr(find_thread_data, &search);
}

void images_load(const char *path) {
    int file = open(path, O_RDONLY);
    off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    char *bytes = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (bytes == MAP_FAILED) {
        fprintf(stderr, "world: %s cannot be read\n", path);
        exit(2);
    }
    for (int r = 0; r < settings.ranks; r++) {
        int per_node = (settings.ranks + settings.nodes - 1) / settings.nodes;
        processes[r].rank = r;
        processes[r].node = settings.cyclic_nodes ? r % settings.nodes : r / per_node;
        load(&processes[r], bytes, (size_t)size);
    }
    munmap(bytes, (size_t)size);
    close(file);
}

/* ---- what a rank sees loaded: its own program, with the library in it, and nothing before it
 * runs. The world itself calls PMPI_X, which no program of a rank's does ---- */
typedef int (*visit_object)(struct dl_phdr_info *object, size_t size, void *extra);

struct visit {
    visit_object visit;
    void *extra;
};

static int visit_own(struct dl_phdr_info *object, size_t size, void *extra) {
    struct visit *visit = extra;
    bool own = self && object->dlpi_addr == bases[self->process->rank];
    return own ? visit->visit(object, size, visit->extra) : 0;
}

int world_dl_iterate_phdr(visit_object visit, void *extra) {
    return dl_iterate_phdr(visit_own, &(struct visit){visit, extra});
}

/* ---- variables as they were: those of the images and of the world itself ---- */
enum { MOST_REGIONS = 4 * MOST_PROCESSES, PAGE = 4096 };
static struct {
    char *base, *copy;
    size_t size;
} regions[MOST_REGIONS];
static int region_count, first_file;

static bool is_ours(const struct dl_phdr_info *info) {
    for (int r = 0; r < settings.ranks; r++)
        if (bases[r] == info->dlpi_addr)
            return true;
    return !info->dlpi_name[0];
}

static int find_regions(struct dl_phdr_info *info, size_t size, void *context) {
    ElfW(Addr) read_only = 0; /* up to here, since it was loaded */
    (void)size, (void)context;
    for (int i = 0; i < info->dlpi_phnum && is_ours(info); i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            read_only =
                (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz) / PAGE *
                PAGE;
    for (int i = 0; i < info->dlpi_phnum && is_ours(info); i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        ElfW(Addr) begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        if (read_only > begin && read_only <= end)
            begin = read_only;
        regions[region_count].base = (char *)begin;
        regions[region_count++].size = end - begin;
    }
    return 0;
}

/* Before the first run of a process. */
void variables_keep(void) {
    dl_iterate_phdr(find_regions, NULL);
    for (int i = 0; i < region_count; i++)
        regions[i].copy =
            mmap(NULL, regions[i].size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    first_file = dup(0);
    close(first_file);
    for (int i = 0; i < region_count; i++)
        memcpy(regions[i].copy, regions[i].base, regions[i].size);
}

/* After a run, of which nothing is left then: files, mappings, memory, variables. */
void variables_restore(void) {
    close_range((unsigned)first_file, ~0U, 0);
    mappings_drop();
    arena_reset();
    for (int i = 0; i < region_count; i++)
        memcpy(regions[i].base, regions[i].copy, regions[i].size);
}
