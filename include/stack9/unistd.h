/*
 * Adds to the C library's <unistd.h> what FreeBSD's shows to every file.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include <sys/_visible.h>
#include_next <unistd.h>

#include <sys/_bsd.h>
#if defined(STACK9_BSD_) && !defined(STACK9_UNISTD_H)
#define	STACK9_UNISTD_H

#ifdef STACK9_HIDDEN_BSD_
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

int	eaccess(const char *path, int mode);
int	pipe2(int fds[2], int flags);
int	getresuid(uid_t *real, uid_t *effective, uid_t *saved);
int	getresgid(gid_t *real, gid_t *effective, gid_t *saved);
int	setresuid(uid_t real, uid_t effective, uid_t saved);
int	setresgid(gid_t real, gid_t effective, gid_t saved);

#ifdef __cplusplus
}
#endif
#endif

#endif /* STACK9_BSD_, STACK9_UNISTD_H */
