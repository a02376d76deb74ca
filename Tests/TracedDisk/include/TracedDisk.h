#ifndef TRACED_DISK_H
#define TRACED_DISK_H

#include <stdbool.h>
#include <stdint.h>

/// What is called for the files of traced folders, on the thread that uses the file. A disk is known by its number,
/// which is not 0. The calls that return a `bool` come before the change: `false` makes it fail with an I/O error.
typedef struct TracedDiskCalls {
    /// The number of the disk that has this file; 0 if the file is not traced.
    int32_t (*find)(const char *path);
    /// A file was opened. If `syncsFolder`, its next sync makes the names in its folder durable, too.
    void (*opened)(int32_t disk, const char *path, bool syncsFolder);
    bool (*write)(int32_t disk, const char *path, int64_t offset, const void *bytes, int64_t count);
    bool (*truncate)(int32_t disk, const char *path, int64_t size);
    /// The file is not synced by the system: what is durable is decided by the disk.
    bool (*sync)(int32_t disk, const char *path);
    /// A name was removed; if `syncsFolder`, the names in the folder are durable now.
    void (*removed)(int32_t disk, const char *path, bool syncsFolder);
} TracedDiskCalls;

/// Makes a VFS of SQLite the default one, which passes everything on to the former default and calls `calls`. To be
/// called once. The index of a WAL, which is in mapped memory, is not traced: it need not survive.
/// - Returns: whether it was registered.
bool TracedDiskRegister(TracedDiskCalls calls);

#endif
