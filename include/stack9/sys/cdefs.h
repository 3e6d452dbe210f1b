/*
 * Adds FreeBSD's macros to glibc's <sys/cdefs.h>: identifiers of sources,
 * attributes and casts.  stack9_porting(7) lists the macros that mean nothing
 * here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include "_visible.h"
#if __has_include_next(<sys/cdefs.h>)
#include_next <sys/cdefs.h>
#endif

#ifndef STACK9_SYS_CDEFS_H
#define STACK9_SYS_CDEFS_H

/* musl has no <sys/cdefs.h>. */
#ifndef __BEGIN_DECLS
#ifdef __cplusplus
#define	__BEGIN_DECLS		extern "C" {
#define	__END_DECLS		}
#else
#define	__BEGIN_DECLS
#define	__END_DECLS
#endif
#endif
#ifndef __CONCAT
#define	__CONCAT1(x, y)		x ## y
#define	__CONCAT(x, y)		__CONCAT1(x, y)
#endif
#ifndef __STRING
#define	__STRING(x)		#x
#endif

/* Each of these is a whole declaration, because a semicolon follows it. */
#define	__FBSDID(s)		struct stack9_source_id
#define	__RCSID(s)		struct stack9_source_id
#define	__RCSID_SOURCE(s)	struct stack9_source_id
#define	__SCCSID(s)		struct stack9_source_id
#define	__COPYRIGHT(s)		struct stack9_source_id
#define	__IDSTRING(name, s)	struct stack9_source_id

#define	__unused		__attribute__((__unused__))
#define	__diagused		__attribute__((__unused__))
#define	__witness_used		__attribute__((__unused__))
#define	__used			__attribute__((__used__))
#define	__packed		__attribute__((__packed__))
#define	__aligned(x)		__attribute__((__aligned__(x)))
#define	__section(x)		__attribute__((__section__(x)))
#define	__dead2			__attribute__((__noreturn__))
#define	__pure2			__attribute__((__const__))
#define	__noinline		__attribute__((__noinline__))
#define	__malloc_like		__attribute__((__malloc__))
#define	__returns_twice		__attribute__((__returns_twice__))
#define	__result_use_check	__attribute__((__warn_unused_result__))
#define	__weak_symbol		__attribute__((__weak__))
#define	__exported		__attribute__((__visibility__("default")))
#define	__hidden		__attribute__((__visibility__("hidden")))
#ifndef __always_inline
#define	__always_inline		inline __attribute__((__always_inline__))
#endif

/* Compilers do not know the kernel's own conversions: see <sys/sbuf.h>. */
#ifdef STACK9_KERNEL_FORMATS
#define	__printflike(fmt, first)
#else
#define	__printflike(fmt, first)					\
	__attribute__((__format__(__printf__, fmt, first)))
#endif
#define	__scanflike(fmt, first)						\
	__attribute__((__format__(__scanf__, fmt, first)))
#define	__format_arg(fmt)	__attribute__((__format_arg__(fmt)))

#define	__predict_true(exp)	__builtin_expect((exp), 1)
#define	__predict_false(exp)	__builtin_expect((exp), 0)

#define	__DECONST(type, var)						\
	((type)(__UINTPTR_TYPE__)(const void *)(var))
#define	__DEVOLATILE(type, var)						\
	((type)(__UINTPTR_TYPE__)(volatile void *)(var))
#define	__DEQUALIFY(type, var)						\
	((type)(__UINTPTR_TYPE__)(const volatile void *)(var))
#define	__offsetof(type, field)	__builtin_offsetof(type, field)
#define	__containerof(x, type, field)					\
	((type *)(void *)((char *)(__UINTPTR_TYPE__)(x) -		\
	__builtin_offsetof(type, field)))
#define	__XSTRING(x)		__STRING(x)
#ifdef __cplusplus
#define	__min_size(x)		(x)
#else
#define	__min_size(x)		static (x)
#endif

/* A program's loader decides these, and a compiler that checks locks does not
 * know ours, so they are nothing. */
#define	__read_mostly
#define	__read_frequently
#define	__exclusive_cache_line	__attribute__((__aligned__(64)))
#define	__lock_annotate(x)
#define	__lockable
#define	__guarded_by(x)
#define	__pt_guarded_by(x)
#define	__locks_exclusive(...)
#define	__locks_shared(...)
#define	__trylocks_exclusive(...)
#define	__trylocks_shared(...)
#define	__unlocks(...)
#define	__asserts_exclusive(...)
#define	__asserts_shared(...)
#define	__requires_exclusive(...)
#define	__requires_shared(...)
#define	__requires_unlocked(...)
#define	__no_lock_analysis
#define	__nosanitizeaddress
#define	__nosanitizememory
#define	__nosanitizethread

/* Declares a function that would lie if it existed.  A use of it does not
 * compile, and the compiler prints the reason. */
#if defined(__has_attribute)
#if __has_attribute(__unavailable__)
#define	STACK9_ABSENT_(why)	__attribute__((__unavailable__(why)))
#endif
#endif
#ifndef STACK9_ABSENT_
#define	STACK9_ABSENT_(why)	__attribute__((__deprecated__(why)))
#endif
#ifdef __cplusplus
#define	STACK9_ANY_ARGUMENTS_	...
#else
#define	STACK9_ANY_ARGUMENTS_
#endif

#endif /* STACK9_SYS_CDEFS_H */
