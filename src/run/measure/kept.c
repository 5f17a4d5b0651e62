/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/kept.h"

#include "base/number.h"
#include "run/measure/kept_file.h"

#include <stdio.h>

static int count_figures(void) {
    struct caucus_model model;
    const char *help;
    double *value;
    int count = 0;
    while (caucus_model_parameter(&model, count, &help, &value))
        count++;
    return count;
}

/* Another version may keep more or fewer figures. */
static bool find(const struct caucus_attachment *attachment, enum caucus_kept_within within,
                 struct caucus_kept_file *file) {
    static const char *const words[] = {"nothing", "messages", "all", "all and one copy"};
    char depends[100], key[CAUCUS_KEPT_KEY];
    snprintf(depends, sizeof depends, "%d figures, %s within", count_figures(), words[within]);
    caucus_kept_describe(attachment, depends, key);
    return caucus_kept_file_find(file, "model", key);
}

/* A file that was cut short may read well. */
static bool read_whole(const char *path, struct caucus_model *model) {
    const char *help;
    double *value;
    for (int i = 0; caucus_model_parameter(model, i, &help, &value); i++)
        *value = -1;
    if (caucus_model_read(model, path))
        return false;
    for (int i = 0; caucus_model_parameter(model, i, &help, &value); i++)
        if (*value < 0)
            return false;
    return model->latency[CAUCUS_BETWEEN_NODES] > 0 && model->card_byte > 0;
}

bool caucus_kept_read(const struct caucus_attachment *attachment, enum caucus_kept_within within,
                      struct caucus_model *model) {
    struct caucus_kept_file file;
    struct caucus_model found;
    if (!find(attachment, within, &file) || !caucus_kept_file_is_fit(&file))
        return false;
    if (!read_whole(file.path, &found)) {
        caucus_kept_file_say(&file, "is not as it was written: what it keeps is measured again.");
        return false;
    }
    *model = found;
    return true;
}

static bool write_model(FILE *stream, const void *data) {
    struct caucus_model model = *(const struct caucus_model *)data;
    const char *name, *help;
    double *value;
    bool good = true;
    const struct caucus_numbers numbers = caucus_numbers_begin();
    for (int i = 0; good && (name = caucus_model_parameter(&model, i, &help, &value)); i++)
        good = fprintf(stream, "%s %.17g\n", name, *value) > 0;
    caucus_numbers_end(numbers);
    return good;
}

void caucus_kept_write(const struct caucus_attachment *attachment, enum caucus_kept_within within,
                       const struct caucus_model *model) {
    struct caucus_kept_file file;
    if (find(attachment, within, &file))
        caucus_kept_file_replace(&file, write_model, model);
}
