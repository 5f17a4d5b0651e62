/* SPDX-License-Identifier: BSD-3-Clause */
/* What the public face shows besides plans: dimensions, the table of mappers, the settings. */
#include "base/settings.h"
#include "plan/grid/dims.h"
#include "plan/grid/mapper.h"
#include "study/face/plan.h"

int caucus_plan_dims(const char *machine, int64_t ranks, int ndims, const double extents[],
                     const int periods[], int dims[]) {
    struct caucus_machine parsed = {0};
    struct caucus_nodes nodes = {0};
    int status = caucus_machine_parse(&parsed, machine, ranks);
    if (!status)
        status = caucus_machine_nodes(&parsed, &nodes);
    if (!status)
        status = caucus_grid_dims(&nodes, ndims, extents, periods, dims);
    caucus_nodes_free(&nodes);
    caucus_machine_free(&parsed);
    return caucus_plan_status_of(status);
}

int caucus_plan_mapper_entry(int index, const char **name, const char **summary) {
    const struct caucus_grid_mapper *mapper = caucus_grid_mapper_entry(index);
    if (!mapper)
        return 0;
    *name = mapper->name;
    *summary = mapper->summary;
    return 1;
}

int caucus_plan_setting_entry(int index, caucus_plan_setting *setting) {
    const struct caucus_setting *entry = caucus_setting_entry(index);
    if (!entry)
        return 0;
    *setting = (caucus_plan_setting){
        entry->environment, entry->info_key, entry->default_value,
        entry->syntax,      entry->help,     caucus_setting_text((enum caucus_setting_id)index)};
    return 1;
}

int caucus_plan_warn_unknown_settings(void) {
    return caucus_settings_warn_unknown();
}
