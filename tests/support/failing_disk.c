/* Preloaded library: makes writes and syncs of some files fail or hang.
 *
 * The file named by FAULT_FILE says which: "OPERATION SUFFIX ERRNO", for example "sync -wal 5".
 * OPERATION is sync, write or hang (a sync that waits until the fault is gone); SUFFIX is the end
 * of the file's name. Without the file nothing fails.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fault(const char *operation, int fd) {
    const char *control = getenv("FAULT_FILE");
    char text[256], wanted[16], suffix[128], link[64], path[4096];
    int number = 0;
    if (control == NULL) return 0;
    int handle = open(control, O_RDONLY);
    if (handle < 0) return 0;
    ssize_t length = read(handle, text, sizeof text - 1);
    close(handle);
    if (length <= 0) return 0;
    text[length] = 0;
    if (sscanf(text, "%15s %127s %d", wanted, suffix, &number) != 3) return 0;
    if (strcmp(wanted, operation) != 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    size_t end = strlen(suffix);
    if ((size_t)length < end || strcmp(path + length - end, suffix) != 0) return 0;
    return number;
}

static int failed_sync(int fd) {
    while (fault("hang", fd)) usleep(20000);
    int number = fault("sync", fd);
    if (number) errno = number;
    return number;
}

int fsync(int fd) { return failed_sync(fd) ? -1 : (int)syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return failed_sync(fd) ? -1 : (int)syscall(SYS_fdatasync, fd); }

static ssize_t checked_pwrite(int fd, const void *data, size_t count, off_t offset) {
    int number = fault("write", fd);
    if (number) {
        errno = number;
        return -1;
    }
    return syscall(SYS_pwrite64, fd, data, count, offset);
}

ssize_t pwrite(int fd, const void *data, size_t count, off_t offset) {
    return checked_pwrite(fd, data, count, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t count, off_t offset) {
    return checked_pwrite(fd, data, count, offset);
}

ssize_t write(int fd, const void *data, size_t count) {
    int number = fault("write", fd);
    if (number) {
        errno = number;
        return -1;
    }
    return syscall(SYS_write, fd, data, count);
}
