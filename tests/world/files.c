/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of plain bytes: of a view the beginning and the unit count, not what it leaves out. */
#include "collectives.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct file {
    MPI_Comm comm;
    int descriptor;
    MPI_Offset begin, unit, place; /* of its view; place in units */
};

static struct file *file_of(MPI_File handle) {
    return (struct file *)(void *)handle;
}

int world_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *made) {
    int flags = mode & MPI_MODE_RDONLY ? O_RDONLY : mode & MPI_MODE_RDWR ? O_RDWR : O_WRONLY;
    struct file *file = NEW(1, struct file);
    (void)info;
    int code = world_Barrier(comm);
    file->comm = comm;
    file->unit = 1;
    file->descriptor = open(name, flags | (mode & MPI_MODE_CREATE ? O_CREAT : 0), 0644);
    *made = (MPI_File)(void *)file;
    return code ? code : file->descriptor < 0 ? MPI_ERR_NO_SUCH_FILE : MPI_SUCCESS;
}

int world_File_close(MPI_File *handle) {
    struct file *file = file_of(*handle);
    int code = world_Barrier(file->comm);
    close(file->descriptor);
    free(file);
    *handle = MPI_FILE_NULL;
    return code;
}

int world_File_sync(MPI_File handle) {
    return world_Barrier(file_of(handle)->comm);
}

int world_File_set_size(MPI_File handle, MPI_Offset size) {
    int code = world_Barrier(file_of(handle)->comm);
    return code ? code : ftruncate(file_of(handle)->descriptor, size) ? MPI_ERR_IO : MPI_SUCCESS;
}

int world_File_get_size(MPI_File handle, MPI_Offset *size) {
    *size = lseek(file_of(handle)->descriptor, 0, SEEK_END);
    return MPI_SUCCESS;
}

int world_File_preallocate(MPI_File handle, MPI_Offset size) {
    MPI_Offset now;
    world_File_get_size(handle, &now);
    return world_File_set_size(handle, size > now ? size : now);
}

int world_File_set_atomicity(MPI_File handle, int atomic) {
    (void)atomic;
    return world_Barrier(file_of(handle)->comm);
}

int world_File_get_group(MPI_File handle, MPI_Group *group) {
    return world_Comm_group(file_of(handle)->comm, group);
}

int world_File_set_view(MPI_File handle, MPI_Offset begin, MPI_Datatype unit, MPI_Datatype type,
                        const char *form, MPI_Info info) {
    struct file *file = file_of(handle);
    (void)type, (void)form, (void)info;
    file->begin = begin;
    file->unit = (MPI_Offset)type_bytes(unit);
    file->place = 0;
    return world_Barrier(file->comm);
}

static off_t byte_at(MPI_File handle, MPI_Offset at) {
    return file_of(handle)->begin + at * file_of(handle)->unit;
}

int world_File_write_at(MPI_File handle, MPI_Offset at, const void *buffer, int count,
                        MPI_Datatype type, MPI_Status *status) {
    struct part part;
    choose("MPI_File_write_at");
    pack(buffer, (size_t)count, type, &part);
    ssize_t done = pwrite(file_of(handle)->descriptor, part.data, part.bytes, byte_at(handle, at));
    free(part.data);
    status_empty(status);
    if (status != MPI_STATUS_IGNORE)
        status->_ucount = done > 0 ? (size_t)done : 0;
    return done == (ssize_t)part.bytes ? MPI_SUCCESS : MPI_ERR_IO;
}

int world_File_read_at(MPI_File handle, MPI_Offset at, void *buffer, int count, MPI_Datatype type,
                       MPI_Status *status) {
    struct part part = {NULL, (size_t)count * type_bytes(type)};
    choose("MPI_File_read_at");
    part.data = allocate(part.bytes, 1);
    ssize_t done = pread(file_of(handle)->descriptor, part.data, part.bytes, byte_at(handle, at));
    part.bytes = done > 0 ? (size_t)done : 0;
    unpack(&part, buffer, (size_t)count, type);
    free(part.data);
    status_empty(status);
    if (status != MPI_STATUS_IGNORE)
        status->_ucount = part.bytes;
    return done < 0 ? MPI_ERR_IO : MPI_SUCCESS;
}

int world_File_write_at_all(MPI_File handle, MPI_Offset at, const void *buffer, int count,
                            MPI_Datatype type, MPI_Status *status) {
    int code = world_Barrier(file_of(handle)->comm);
    return code ? code : world_File_write_at(handle, at, buffer, count, type, status);
}

int world_File_read_at_all(MPI_File handle, MPI_Offset at, void *buffer, int count,
                           MPI_Datatype type, MPI_Status *status) {
    int code = world_Barrier(file_of(handle)->comm);
    return code ? code : world_File_read_at(handle, at, buffer, count, type, status);
}

/* Where the next call without an offset goes on. */
static MPI_Offset go_on(MPI_File handle, int count, MPI_Datatype type) {
    struct file *file = file_of(handle);
    MPI_Offset at = file->place;
    file->place += (MPI_Offset)((size_t)count * type_bytes(type)) / file->unit;
    return at;
}

int world_File_write_all(MPI_File handle, const void *buffer, int count, MPI_Datatype type,
                         MPI_Status *status) {
    MPI_Offset at = go_on(handle, count, type);
    return world_File_write_at_all(handle, at, buffer, count, type, status);
}

int world_File_read_all(MPI_File handle, void *buffer, int count, MPI_Datatype type,
                        MPI_Status *status) {
    MPI_Offset at = go_on(handle, count, type);
    return world_File_read_at_all(handle, at, buffer, count, type, status);
}

int world_File_write_at_all_begin(MPI_File handle, MPI_Offset at, const void *buffer, int count,
                                  MPI_Datatype type) {
    return world_File_write_at(handle, at, buffer, count, type, MPI_STATUS_IGNORE);
}

int world_File_write_at_all_end(MPI_File handle, const void *buffer, MPI_Status *status) {
    (void)buffer;
    status_empty(status);
    return world_Barrier(file_of(handle)->comm);
}
