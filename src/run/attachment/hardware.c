/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/locate.h"

#include <hwloc.h>
#include <pthread.h>

static int32_t found[CAUCUS_INNER_LEVELS] = {-1, -1};

static int32_t number_of_cover(hwloc_topology_t topology, hwloc_obj_type_t type,
                               hwloc_const_cpuset_t set) {
    hwloc_obj_t object = NULL;
    while ((object = hwloc_get_next_obj_by_type(topology, type, object)))
        if (object->cpuset && hwloc_bitmap_isincluded(set, object->cpuset))
            return (int32_t)object->logical_index;
    return -1;
}

static bool is_third_cache_shared(hwloc_topology_t topology) {
    hwloc_obj_t cache = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_L3CACHE, NULL);
    return cache &&
           hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE) > 1;
}

static void look_up_binding(hwloc_topology_t topology) {
    hwloc_cpuset_t set = hwloc_bitmap_alloc();
    if (set && hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0 &&
        !hwloc_bitmap_iszero(set)) {
        hwloc_obj_type_t cache =
            is_third_cache_shared(topology) ? HWLOC_OBJ_L3CACHE : HWLOC_OBJ_NUMANODE;
        found[CAUCUS_LEVEL_PACKAGE - 1] = number_of_cover(topology, HWLOC_OBJ_PACKAGE, set);
        found[CAUCUS_LEVEL_CACHE - 1] = number_of_cover(topology, cache, set);
    }
    hwloc_bitmap_free(set);
}

static void look_up(void) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_load(topology) == 0)
        look_up_binding(topology);
    hwloc_topology_destroy(topology);
}

void caucus_hardware_labels(int32_t label[CAUCUS_INNER_LEVELS]) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    for (int level = 0; level < CAUCUS_INNER_LEVELS; level++)
        label[level] = found[level];
}
