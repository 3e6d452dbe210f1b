/*
 * Adds FreeBSD's struct uio to glibc's <sys/uio.h>: a list of buffers that a
 * copy fills or empties.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include_next <sys/uio.h>

#ifndef STACK9_SYS_UIO_H
#define STACK9_SYS_UIO_H

#include <sys/types.h>

struct thread;

enum uio_rw { UIO_READ, UIO_WRITE };
enum uio_seg { UIO_USERSPACE, UIO_SYSSPACE, UIO_NOCOPY };

struct uio {
	struct iovec	*uio_iov;
	int		 uio_iovcnt;
	off_t		 uio_offset;
	ssize_t		 uio_resid;	/* bytes left */
	enum uio_seg	 uio_segflg;
	enum uio_rw	 uio_rw;
	struct thread	*uio_td;
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Copies at most n bytes between p and the buffers, and takes them off uio.
 * Returns 0; EFAULT: a buffer's address is bad. */
int	stack9_uiomove(void *p, int n, struct uio *uio);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define	uiomove(...)	stack9_uiomove(__VA_ARGS__)

#endif /* STACK9_SYS_UIO_H */
