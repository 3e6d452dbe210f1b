/*
 * The programs, and what loading one gives: descriptors.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_LIGHT_H
#define STACK9_LIGHT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum s9_object {
	S9_OBJECT_ONE,		/* one.bpf.c: programs "one" and "name" */
	S9_OBJECT_ONE_VPID,	/* the same, in the caller's pid namespace */
	S9_OBJECT_TASKS,	/* tasks.bpf.c */
	S9_OBJECT_IPI,		/* ipi.bpf.c */
	S9_OBJECT_PERF,		/* perf.bpf.c */
	S9_OBJECT_NAME,		/* name.bpf.c */
	S9_OBJECT_USER,		/* user.bpf.c */
	S9_OBJECT_USER_ONE,	/* user_one.bpf.c */
	S9_OBJECT_USER_IPI	/* user_ipi.bpf.c */
};

/* -1: none.  map is the one that user space reads or writes; second is the
 * program "name" of an object that has two. */
struct s9_fds {
	int	prog;
	int	second;
	int	map;
};

/*
 * Load one by its light skeleton: a program that loads programs, run in the
 * kernel (Linux 5.14, CO-RE there since 5.17), 1 ms where libbpf's loader
 * takes 10 because it reads the kernel's whole BTF.  The skeletons do not
 * compile as C++, hence this file.
 * 0, or a positive errno.  ENOENT: the kernel lacks a function or type that
 * the program names.
 */
int	s9_light_load(enum s9_object which, struct s9_fds *fds);

/* The same program as an ELF object, for libbpf's ordinary loader. */
struct s9_elf {
	const void	*bytes;
	size_t		 size;
	const char	*prog;		/* names of what s9_fds holds, */
	const char	*second;	/* or NULL */
	const char	*map;
};
struct s9_elf s9_elf_of(enum s9_object which);

#ifdef __cplusplus
}
#endif

#endif /* STACK9_LIGHT_H */
