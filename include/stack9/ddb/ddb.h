/*
 * Lets files with commands for ddb(4) compile.  There is no debugger here, so
 * its commands are compiled and never called.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_DDB_DDB_H
#define STACK9_DDB_DDB_H

#include <sys/systm.h>

typedef long db_expr_t;
typedef vm_offset_t db_addr_t;

#define	db_printf		stack9_printf
#define	db_pager_quit		0

#define	STACK9_DB_FUNCTION_(func)					\
	static void __attribute__((__unused__))				\
	func(db_expr_t addr __attribute__((__unused__)),		\
	    bool have_addr __attribute__((__unused__)),			\
	    db_expr_t count __attribute__((__unused__)),		\
	    char *modif __attribute__((__unused__)))
#define	DB_COMMAND(name, func)			STACK9_DB_FUNCTION_(func)
#define	DB_COMMAND_FLAGS(name, func, flags)	STACK9_DB_FUNCTION_(func)
#define	DB_SHOW_COMMAND(name, func)		STACK9_DB_FUNCTION_(func)
#define	DB_SHOW_COMMAND_FLAGS(name, func, flags)			\
	STACK9_DB_FUNCTION_(func)
#define	DB_SHOW_ALL_COMMAND(name, func)		STACK9_DB_FUNCTION_(func)
#define	DB_SHOW_ALIAS(alias, func)		struct stack9_source_id
#define	DB_ALIAS(alias, func)			struct stack9_source_id
#define	DB_CMD_MEMSAFE	0
#define	CS_OWN		0
#define	CS_MORE		0

#endif /* STACK9_DDB_DDB_H */
