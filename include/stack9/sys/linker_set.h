/*
 * Collects objects of all files of a program or shared object in one array, by
 * a section of their own.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_LINKER_SET_H
#define STACK9_SYS_LINKER_SET_H

#include <stddef.h>
#include <sys/cdefs.h>

#define	STACK9_SET_ADD_(set, symbol)					\
	static void const *const stack9_in_##set##_##symbol		\
	    __attribute__((__section__("set_" #set), __used__)) = &(symbol)

#define	TEXT_SET(set, symbol)	STACK9_SET_ADD_(set, symbol)
#define	DATA_SET(set, symbol)	STACK9_SET_ADD_(set, symbol)
#define	DATA_WSET(set, symbol)	STACK9_SET_ADD_(set, symbol)
#define	BSS_SET(set, symbol)	STACK9_SET_ADD_(set, symbol)
#define	ABS_SET(set, symbol)	STACK9_SET_ADD_(set, symbol)
#define	SET_ENTRY(set, symbol)	STACK9_SET_ADD_(set, symbol)

/* The linker gives these two names to the ends of the section, if it exists. */
#define	SET_DECLARE(set, type)						\
	__attribute__((__weak__, __visibility__("hidden")))		\
	    extern type *__start_set_##set[];				\
	__attribute__((__weak__, __visibility__("hidden")))		\
	    extern type *__stop_set_##set[]

#define	SET_BEGIN(set)		(&__start_set_##set[0])
#define	SET_LIMIT(set)		(&__stop_set_##set[0])
#define	SET_COUNT(set)		((size_t)(SET_LIMIT(set) - SET_BEGIN(set)))
#define	SET_ITEM(set, i)	((SET_BEGIN(set))[i])
#define	SET_FOREACH(at, set)						\
	for ((at) = SET_BEGIN(set); (at) < SET_LIMIT(set); (at)++)

#endif /* STACK9_SYS_LINKER_SET_H */
