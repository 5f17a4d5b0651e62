/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of plain bytes: no views, offsets in bytes. */
#include "collectives.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct file {
    MPI_Comm comm;
    int descriptor;
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

int world_File_write_at(MPI_File handle, MPI_Offset at, const void *buffer, int count,
                        MPI_Datatype type, MPI_Status *status) {
    struct part part;
    choose("MPI_File_write_at");
    pack(buffer, (size_t)count, type, &part);
    ssize_t done = pwrite(file_of(handle)->descriptor, part.data, part.bytes, at);
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
    ssize_t done = pread(file_of(handle)->descriptor, part.data, part.bytes, at);
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
