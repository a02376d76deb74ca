#include "TracedDisk.h"

#include <sqlite3.h>
#include <stddef.h>

/// A file of a traced folder. The file of the former VFS follows in the same memory.
typedef struct TracedFile {
    sqlite3_file base;
    sqlite3_file *real;
    /// Valid until the file is closed, as SQLite promises.
    const char *path;
    int64_t disk;
} TracedFile;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs traced_vfs;
static TracedDiskCalls calls;

static TracedFile *traced(sqlite3_file *file) { return (TracedFile *)file; }
static sqlite3_file *real(sqlite3_file *file) { return traced(file)->real; }

static int traced_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int traced_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int traced_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (!calls.write((int32_t)traced(file)->disk, traced(file)->path, offset, bytes, count)) return SQLITE_IOERR_WRITE;
    return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int traced_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (!calls.truncate((int32_t)traced(file)->disk, traced(file)->path, size)) return SQLITE_IOERR_TRUNCATE;
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int traced_sync(sqlite3_file *file, int flags) {
    (void)flags;
    return calls.sync((int32_t)traced(file)->disk, traced(file)->path) ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int traced_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int traced_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int traced_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int traced_check_reserved_lock(sqlite3_file *file, int *is_reserved) {
    return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}

static int traced_file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int traced_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int traced_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int traced_shm_map(sqlite3_file *file, int page, int size, int extends, void volatile **region) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extends, region);
}

static int traced_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void traced_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int traced_shm_unmap(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

/// Version 2, because with version 3 SQLite could write through mapped memory.
static const sqlite3_io_methods traced_methods = {
    .iVersion = 2,
    .xClose = traced_close,
    .xRead = traced_read,
    .xWrite = traced_write,
    .xTruncate = traced_truncate,
    .xSync = traced_sync,
    .xFileSize = traced_file_size,
    .xLock = traced_lock,
    .xUnlock = traced_unlock,
    .xCheckReservedLock = traced_check_reserved_lock,
    .xFileControl = traced_file_control,
    .xSectorSize = traced_sector_size,
    .xDeviceCharacteristics = traced_characteristics,
    .xShmMap = traced_shm_map,
    .xShmLock = traced_shm_lock,
    .xShmBarrier = traced_shm_barrier,
    .xShmUnmap = traced_shm_unmap,
};

static int traced_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *used_flags) {
    (void)vfs;
    int32_t disk = path ? calls.find(path) : 0;
    // The memory is large enough for both kinds of files.
    if (!disk) return real_vfs->xOpen(real_vfs, path, file, flags, used_flags);
    TracedFile *new = traced(file);
    new->base.pMethods = NULL;
    new->real = (sqlite3_file *)(new + 1);
    new->path = path;
    new->disk = disk;
    int code = real_vfs->xOpen(real_vfs, path, new->real, flags, used_flags);
    if (code != SQLITE_OK) {
        if (new->real->pMethods) new->real->pMethods->xClose(new->real);
        return code;
    }
    new->base.pMethods = &traced_methods;
    // The files whose first sync includes their folder, as the VFS of Unix does it.
    int synced_with_folder = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
    calls.opened(disk, path, (flags & SQLITE_OPEN_CREATE) && (flags & synced_with_folder));
    return SQLITE_OK;
}

static int traced_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
    (void)vfs;
    int32_t disk = calls.find(path);
    int code = real_vfs->xDelete(real_vfs, path, disk ? 0 : syncs_folder);
    if (disk && code == SQLITE_OK) calls.removed(disk, path, syncs_folder);
    return code;
}

bool TracedDiskRegister(TracedDiskCalls new_calls) {
    if (real_vfs) return false;
    calls = new_calls;
    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs) return false;
    traced_vfs = *real_vfs;
    traced_vfs.szOsFile += (int)sizeof(TracedFile);
    traced_vfs.pNext = NULL;
    traced_vfs.zName = "traced";
    traced_vfs.xOpen = traced_open;
    traced_vfs.xDelete = traced_delete;
    return sqlite3_vfs_register(&traced_vfs, 1) == SQLITE_OK;
}
