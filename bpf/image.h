/*
 * Describes a BPF object to the loader in object.h.  The object's backend
 * defines the constant, by the macros in skeleton.h; the loader knows no object
 * by name.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_IMAGE_H
#define STACK9_IMAGE_H

#include <stddef.h>

/* Descriptors of a loaded object; -1: it has none.  map is the one that user
 * space reads or writes; second is the second program of an object that has
 * two. */
struct s9_fds {
	int	prog;
	int	second;
	int	map;
};

struct s9_image {
	/*
	 * Loads the object by its light skeleton: a program that loads
	 * programs, run in the kernel (Linux 5.14, CO-RE there since 5.17).  It
	 * takes 1 ms.  libbpf's loader reads the kernel's whole BTF and takes
	 * 10 ms.  0, or a negative errno.  -ENOENT: the kernel lacks a function
	 * or type that the program names.
	 */
	int		(*load)(struct s9_fds *);

	/* The same object as ELF, for libbpf's ordinary loader, and the names
	 * that its members in s9_fds have there; NULL: it has none. */
	const unsigned char *elf;
	const unsigned char *elf_end;
	const char	*prog;
	const char	*second;
	const char	*map;
};

#endif /* STACK9_IMAGE_H */
