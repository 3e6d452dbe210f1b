/*
 * Declares sysctl(9) and sysctl(3).  A program's own objects form a tree.  Its
 * own sysctl() and sysctlbyname() read and write it.  kern.proc has the
 * processes of the machine, unless the program has objects there.  The kernel's
 * tree of Linux is not seen.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_SYSCTL_H
#define STACK9_SYS_SYSCTL_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>
#include <sys/types.h>

#define	CTL_MAXNAME	24	/* components of a name */

#define	CTLTYPE		0x0000000f	/* the type is in these bits */
#define	CTLTYPE_NODE	1
#define	CTLTYPE_INT	2
#define	CTLTYPE_STRING	3
#define	CTLTYPE_S64	4
#define	CTLTYPE_OPAQUE	5
#define	CTLTYPE_STRUCT	CTLTYPE_OPAQUE
#define	CTLTYPE_UINT	6
#define	CTLTYPE_LONG	7
#define	CTLTYPE_ULONG	8
#define	CTLTYPE_U64	9
#define	CTLTYPE_U8	0xa
#define	CTLTYPE_U16	0xb
#define	CTLTYPE_S8	0xc
#define	CTLTYPE_S16	0xd
#define	CTLTYPE_S32	0xe
#define	CTLTYPE_U32	0xf

#define	CTLFLAG_RD	0x80000000
#define	CTLFLAG_WR	0x40000000
#define	CTLFLAG_RW	(CTLFLAG_RD | CTLFLAG_WR)
/* The other flags are about the kernel's locks, jails and environment. */
#define	CTLFLAG_DORMANT	0
#define	CTLFLAG_ANYBODY	0
#define	CTLFLAG_SECURE	0
#define	CTLFLAG_PRISON	0
#define	CTLFLAG_DYN	0
#define	CTLFLAG_SKIP	0
#define	CTLFLAG_TUN	0
#define	CTLFLAG_RDTUN	CTLFLAG_RD
#define	CTLFLAG_RWTUN	CTLFLAG_RW
#define	CTLFLAG_MPSAFE	0
#define	CTLFLAG_NEEDGIANT	0
#define	CTLFLAG_VNET	0
#define	CTLFLAG_CAPRD	0
#define	CTLFLAG_CAPWR	0
#define	CTLFLAG_CAPRW	0
#define	CTLFLAG_STATS	0
#define	CTLFLAG_NOFETCH	0

#define	OID_AUTO	(-1)

#define	CTL_KERN	1
#define	CTL_VM		2
#define	CTL_VFS		3
#define	CTL_NET		4
#define	CTL_DEBUG	5
#define	CTL_HW		6
#define	CTL_MACHDEP	7
#define	CTL_USER	8

#define	KERN_PROC	14
#define	KERN_PROC_ALL	0	/* each thread of all processes */
#define	KERN_PROC_PID	1
#define	KERN_PROC_PGRP	2
#define	KERN_PROC_SESSION	3
#define	KERN_PROC_TTY	4
#define	KERN_PROC_UID	5
#define	KERN_PROC_RUID	6
#define	KERN_PROC_ARGS	7
#define	KERN_PROC_PROC	8	/* all processes */
#define	KERN_PROC_RGID	10
#define	KERN_PROC_GID	11
#define	KERN_PROC_PATHNAME	12
#define	KERN_PROC_KSTACK	15
#define	KERN_PROC_INC_THREAD	0x10	/* a record for each thread */
#define	KERN_PROC_ENV	35

struct sysctl_oid;
struct sysctl_req;
struct thread;

#define	SYSCTL_HANDLER_ARGS						\
	struct sysctl_oid *oidp __unused, void *arg1 __unused,		\
	intmax_t arg2 __unused, struct sysctl_req *req __unused

struct sysctl_oid {
	const char	*oid_parent;	/* "_vm_redzone"; a field of stack9 */
	int		 oid_number;	/* OID_AUTO until it is registered */
	u_int		 oid_kind;	/* CTLTYPE_* | CTLFLAG_* */
	void		*oid_arg1;
	intmax_t	 oid_arg2;
	const char	*oid_name;
	int		(*oid_handler)(SYSCTL_HANDLER_ARGS);
	const char	*oid_fmt;
	const char	*oid_descr;
	struct sysctl_oid *oid_next;	/* a field of stack9 */
};

struct sysctl_req {
	struct thread	*td;
	int		 lock;
	void		*oldptr;	/* NULL: only the length is asked for */
	size_t		 oldlen;
	size_t		 oldidx;
	int		(*oldfunc)(struct sysctl_req *, const void *, size_t);
	void		*newptr;
	size_t		 newlen;
	size_t		 newidx;
	int		(*newfunc)(struct sysctl_req *, void *, size_t);
	size_t		 validlen;
	int		 flags;
};

#define	SYSCTL_OUT(req, p, len)	((req)->oldfunc)((req), (p), (len))
#define	SYSCTL_IN(req, p, len)	((req)->newfunc)((req), (p), (len))
#define	SYSCTL_OUT_STR(req, p)	SYSCTL_OUT((req), (p), strlen(p) + 1)

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void	stack9_sysctl_register(struct sysctl_oid *oid);
int	stack9_sysctl_handle_int(SYSCTL_HANDLER_ARGS);
int	stack9_sysctl_handle_long(SYSCTL_HANDLER_ARGS);
int	stack9_sysctl_handle_opaque(SYSCTL_HANDLER_ARGS);
int	stack9_sysctl_handle_string(SYSCTL_HANDLER_ARGS);

/* Return 0, or -1 and an errno: ENOENT, EISDIR, EPERM, ENOMEM, EINVAL, or the
 * handler's. */
int	stack9_sysctl(const int *name, u_int count, void *old, size_t *oldlen,
	    const void *to, size_t tolen);
int	stack9_sysctlbyname(const char *name, void *old, size_t *oldlen,
	    const void *to, size_t tolen);
int	stack9_sysctlnametomib(const char *name, int *mib, size_t *count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define	sysctl_handle_int	stack9_sysctl_handle_int
#define	sysctl_handle_long	stack9_sysctl_handle_long
#define	sysctl_handle_64	stack9_sysctl_handle_long
#define	sysctl_handle_opaque	stack9_sysctl_handle_opaque
#define	sysctl_handle_string	stack9_sysctl_handle_string
#define	sysctl(...)		stack9_sysctl(__VA_ARGS__)
#define	sysctlbyname(...)	stack9_sysctlbyname(__VA_ARGS__)
#define	sysctlnametomib(...)	stack9_sysctlnametomib(__VA_ARGS__)
#define	sysctl_wire_old_buffer(req, len)	0	/* nothing is paged out
							   under a handler */

/* Answer with arg1's object, or with arg2, of as many bytes. */
static inline int
stack9_sysctl_bytes(struct sysctl_req *req, void *object, intmax_t constant,
    size_t len)
{
	uint8_t byte = (uint8_t)constant;
	uint16_t word = (uint16_t)constant;
	void *p = object != NULL ? object : len == 1 ? (void *)&byte :
	    (void *)&word;
	int error = SYSCTL_OUT(req, p, len);

	if (error != 0 || req->newptr == NULL)
		return (error);
	return (object == NULL ? EPERM : SYSCTL_IN(req, object, len));
}

static inline int
sysctl_handle_8(SYSCTL_HANDLER_ARGS)
{
	return (stack9_sysctl_bytes(req, arg1, arg2, 1));
}

static inline int
sysctl_handle_16(SYSCTL_HANDLER_ARGS)
{
	return (stack9_sysctl_bytes(req, arg1, arg2, 2));
}

/* A bool is 0 or 1, whatever is written. */
static inline int
sysctl_handle_bool(SYSCTL_HANDLER_ARGS)
{
	uint8_t value = arg1 != NULL ? *(uint8_t *)arg1 != 0 : arg2 != 0;
	int error = SYSCTL_OUT(req, &value, 1);

	if (error != 0 || req->newptr == NULL)
		return (error);
	if (arg1 == NULL)
		return (EPERM);
	error = SYSCTL_IN(req, &value, 1);
	if (error == 0)
		*(uint8_t *)arg1 = value != 0;
	return (error);
}
#define	sysctl_handle_32	stack9_sysctl_handle_int

/* `static' may precede SYSCTL_NODE(), so its first word is a type. */
#define	STACK9_OID_(parent, nbr, name, kind, a1, a2, handler, fmt, descr) \
	struct sysctl_oid sysctl_##parent##_##name = {			\
		#parent, nbr, (u_int)(kind),				\
		(void *)(__UINTPTR_TYPE__)(a1), (intmax_t)(a2), #name,	\
		handler, fmt, descr, 0 };				\
	static void __attribute__((__constructor__, __used__))		\
	stack9_register_##parent##_##name(void)				\
	{								\
		stack9_sysctl_register(&sysctl_##parent##_##name);	\
	}								\
	struct stack9_source_id
#define	SYSCTL_OID(parent, nbr, name, kind, a1, a2, handler, fmt, descr) \
	static STACK9_OID_(parent, nbr, name, kind, a1, a2, handler, fmt, descr)
#define	SYSCTL_NODE(parent, nbr, name, access, handler, descr)		\
	STACK9_OID_(parent, nbr, name, CTLTYPE_NODE | (access), 0, 0,	\
	    handler, "N", descr)
#define	SYSCTL_ROOT_NODE(nbr, name, access, handler, descr)		\
	SYSCTL_NODE(, nbr, name, access, handler, descr)
#define	SYSCTL_DECL(name)	struct stack9_source_id
#define	SYSCTL_NULL_INT_PTR	((int *)0)
#define	SYSCTL_NULL_UINT_PTR	((unsigned *)0)
#define	SYSCTL_NULL_LONG_PTR	((long *)0)
#define	SYSCTL_NULL_ULONG_PTR	((unsigned long *)0)

#define	SYSCTL_INT(parent, nbr, name, access, ptr, val, descr)		\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_INT | (access), ptr, val,	\
	    stack9_sysctl_handle_int, "I", descr)
#define	SYSCTL_UINT(parent, nbr, name, access, ptr, val, descr)		\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_UINT | (access), ptr, val, \
	    stack9_sysctl_handle_int, "IU", descr)
#define	SYSCTL_LONG(parent, nbr, name, access, ptr, val, descr)		\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_LONG | (access), ptr, val, \
	    stack9_sysctl_handle_long, "L", descr)
#define	SYSCTL_ULONG(parent, nbr, name, access, ptr, val, descr)	\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_ULONG | (access), ptr, val, \
	    stack9_sysctl_handle_long, "LU", descr)
#define	SYSCTL_QUAD(parent, nbr, name, access, ptr, val, descr)		\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_S64 | (access), ptr, val,	\
	    stack9_sysctl_handle_long, "Q", descr)
#define	SYSCTL_UQUAD(parent, nbr, name, access, ptr, val, descr)	\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_U64 | (access), ptr, val,	\
	    stack9_sysctl_handle_long, "QU", descr)
#define	SYSCTL_S64	SYSCTL_QUAD
#define	SYSCTL_U64	SYSCTL_UQUAD
#define	STACK9_SYSCTL_SMALL_(parent, nbr, name, type, access, ptr, val, bytes, \
    fmt, descr)								\
	SYSCTL_OID(parent, nbr, name, type | (access), ptr, val,	\
	    sysctl_handle_##bytes, fmt, descr)
#define	SYSCTL_S8(parent, nbr, name, access, ptr, val, descr)		\
	STACK9_SYSCTL_SMALL_(parent, nbr, name, CTLTYPE_S8, access, ptr, val, \
	    8, "C", descr)
#define	SYSCTL_U8(parent, nbr, name, access, ptr, val, descr)		\
	STACK9_SYSCTL_SMALL_(parent, nbr, name, CTLTYPE_U8, access, ptr, val, \
	    8, "CU", descr)
#define	SYSCTL_BOOL(parent, nbr, name, access, ptr, val, descr)		\
	STACK9_SYSCTL_SMALL_(parent, nbr, name, CTLTYPE_U8, access, ptr, val, \
	    bool, "CU", descr)
#define	SYSCTL_S16(parent, nbr, name, access, ptr, val, descr)		\
	STACK9_SYSCTL_SMALL_(parent, nbr, name, CTLTYPE_S16, access, ptr, val, \
	    16, "S", descr)
#define	SYSCTL_U16(parent, nbr, name, access, ptr, val, descr)		\
	STACK9_SYSCTL_SMALL_(parent, nbr, name, CTLTYPE_U16, access, ptr, val, \
	    16, "SU", descr)
#define	SYSCTL_S32(parent, nbr, name, access, ptr, val, descr)		\
	STACK9_SYSCTL_SMALL_(parent, nbr, name, CTLTYPE_S32, access, ptr, val, \
	    32, "I", descr)
#define	SYSCTL_U32(parent, nbr, name, access, ptr, val, descr)		\
	STACK9_SYSCTL_SMALL_(parent, nbr, name, CTLTYPE_U32, access, ptr, val, \
	    32, "IU", descr)
/* kern.features.NAME is 1. */
#define	FEATURE(name, descr)						\
	SYSCTL_INT(_kern_features, OID_AUTO, name, CTLFLAG_RD, 0, 1, descr)
#define	SYSCTL_STRING(parent, nbr, name, access, ptr, len, descr)	\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_STRING | (access), ptr, len, \
	    stack9_sysctl_handle_string, "A", descr)
#define	SYSCTL_OPAQUE(parent, nbr, name, access, ptr, len, fmt, descr)	\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_OPAQUE | (access), ptr, len, \
	    stack9_sysctl_handle_opaque, fmt, descr)
#define	SYSCTL_STRUCT(parent, nbr, name, access, ptr, type, descr)	\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_OPAQUE | (access), ptr,	\
	    sizeof(struct type), stack9_sysctl_handle_opaque, "S," #type, descr)
#define	SYSCTL_PROC(parent, nbr, name, access, ptr, arg, handler, fmt, descr) \
	SYSCTL_OID(parent, nbr, name, access, ptr, arg, handler, fmt, descr)

#endif /* STACK9_SYS_SYSCTL_H */
