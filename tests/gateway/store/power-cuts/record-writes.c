/*
 * Records every change of the files in $RECORD_FOLDER to the file $RECORD_TRACE, in order. Loaded by LD_PRELOAD.
 * A record is a header, the file's name in the folder, and the written data. Only syncs overlap with other calls, so
 * their beginning and end are recorded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE, RESIZE, SYNC_BEGIN, SYNC_END };
struct header {
  uint32_t kind, name_bytes;
  uint64_t offset, data_bytes;
};

static int trace = -1;
static uint64_t syncs;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static void record(enum kind kind, const char *name, uint64_t offset, const void *data, uint64_t bytes) {
  pthread_mutex_lock(&lock);
  if (trace < 0) trace = REAL(open)(getenv("RECORD_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct header header = {kind, strlen(name), offset, bytes};
  struct iovec parts[] = {{&header, sizeof header}, {(void *)name, header.name_bytes}, {(void *)data, bytes}};
  if (REAL(writev)(trace, parts, 3) < 0) abort();
  pthread_mutex_unlock(&lock);
}

/* The name in the folder, "" for the folder itself, NULL for other paths. */
static const char *name_in_folder(const char *path) {
  const char *folder = getenv("RECORD_FOLDER");
  size_t length = folder ? strlen(folder) : 0;
  if (length == 0 || strncmp(path, folder, length) != 0) return NULL;
  return path[length] == '/' ? path + length + 1 : path[length] == 0 ? "" : NULL;
}

/* The same for a descriptor. Node closes descriptors by system calls, so the opened ones can't be remembered. */
static const char *name_of(int descriptor, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return name_in_folder(path);
}

static ssize_t written(int descriptor, const void *data, size_t bytes, off_t offset) {
  char path[PATH_MAX];
  const char *name = name_of(descriptor, path);
  if (name) pthread_mutex_lock(&lock);
  off_t at = name && offset < 0 ? lseek(descriptor, 0, SEEK_CUR) : offset;
  ssize_t done = offset < 0 ? REAL(write)(descriptor, data, bytes) : REAL(pwrite)(descriptor, data, bytes, offset);
  if (name && done > 0) record(WRITE, name, at, data, done);
  if (name) pthread_mutex_unlock(&lock);
  return done;
}
ssize_t write(int descriptor, const void *data, size_t bytes) { return written(descriptor, data, bytes, -1); }
ssize_t pwrite(int descriptor, const void *data, size_t bytes, off_t at) { return written(descriptor, data, bytes, at); }
ssize_t pwrite64(int descriptor, const void *data, size_t bytes, off_t at) { return written(descriptor, data, bytes, at); }

int ftruncate(int descriptor, off_t size) {
  char path[PATH_MAX];
  const char *name = name_of(descriptor, path);
  pthread_mutex_lock(&lock);
  int result = REAL(ftruncate)(descriptor, size);
  if (name && result == 0) record(RESIZE, name, size, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

static int synced(int descriptor, int (*sync)(int)) {
  char path[PATH_MAX];
  const char *name = name_of(descriptor, path);
  uint64_t number = __sync_add_and_fetch(&syncs, 1);
  if (name) record(SYNC_BEGIN, name, number, NULL, 0);
  int result = sync(descriptor);
  if (name && result == 0) record(SYNC_END, name, number, NULL, 0);
  return result;
}
int fsync(int descriptor) { return synced(descriptor, REAL(fsync)); }
int fdatasync(int descriptor) { return synced(descriptor, REAL(fdatasync)); }
