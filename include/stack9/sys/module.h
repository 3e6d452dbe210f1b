/*
 * Loads and unloads a module with the program: DECLARE_MODULE() calls the
 * module's handler from a constructor and from a destructor.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_MODULE_H
#define STACK9_SYS_MODULE_H

#include <sys/kernel.h>

typedef enum modeventtype {
	MOD_LOAD,
	MOD_UNLOAD,
	MOD_SHUTDOWN,
	MOD_QUIESCE
} modeventtype_t;

typedef struct module *module_t;	/* always NULL here */
typedef int (*modeventhand_t)(module_t, int, void *);
typedef struct moduledata {
	const char	*name;
	modeventhand_t	 evhand;
	void		*priv;
} moduledata_t;

#define	DECLARE_MODULE(name, data, sub, order)				\
	static void __attribute__((__constructor__(			\
	    STACK9_ORDER_(sub, order)), __used__))			\
	stack9_load_##name(void)					\
	{								\
		(void)(data).evhand((module_t)0, MOD_LOAD, (data).priv); \
	}								\
	static void __attribute__((__destructor__(			\
	    STACK9_ORDER_(sub, order)), __used__))			\
	stack9_unload_##name(void)					\
	{								\
		(void)(data).evhand((module_t)0, MOD_UNLOAD, (data).priv); \
	}								\
	struct stack9_source_id
#define	DEV_MODULE(name, hand, arg)					\
	static moduledata_t name##_mod = { #name, hand, arg };		\
	DECLARE_MODULE(name, name##_mod, SI_SUB_DRIVERS, SI_ORDER_MIDDLE)
#define	MODULE_VERSION(module, version)		struct stack9_source_id
#define	MODULE_DEPEND(module, on, min, pref, max)	struct stack9_source_id

#endif /* STACK9_SYS_MODULE_H */
