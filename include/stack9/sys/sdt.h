/*
 * Lets files define and fire probes of dtrace(1).  Nobody can enable them here:
 * they are nothing.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_SDT_H
#define STACK9_SYS_SDT_H

#include <sys/cdefs.h>

#define	SDT_PROVIDER_DEFINE(provider)	struct stack9_source_id
#define	SDT_PROVIDER_DECLARE(provider)	struct stack9_source_id
#define	SDT_PROBE_DECLARE(provider, mod, func, name)	\
	struct stack9_source_id
#define	SDT_PROBE_DEFINE(...)		struct stack9_source_id
#define	SDT_PROBE_DEFINE0(...)		struct stack9_source_id
#define	SDT_PROBE_DEFINE1(...)		struct stack9_source_id
#define	SDT_PROBE_DEFINE2(...)		struct stack9_source_id
#define	SDT_PROBE_DEFINE3(...)		struct stack9_source_id
#define	SDT_PROBE_DEFINE4(...)		struct stack9_source_id
#define	SDT_PROBE_DEFINE5(...)		struct stack9_source_id
#define	SDT_PROBE_DEFINE6(...)		struct stack9_source_id
#define	SDT_PROBE_DEFINE7(...)		struct stack9_source_id

#define	SDT_PROBES_ENABLED()		0
#define	SDT_PROBE0(...)			do { } while (0)
#define	SDT_PROBE1(...)			do { } while (0)
#define	SDT_PROBE2(...)			do { } while (0)
#define	SDT_PROBE3(...)			do { } while (0)
#define	SDT_PROBE4(...)			do { } while (0)
#define	SDT_PROBE5(...)			do { } while (0)
#define	SDT_PROBE6(...)			do { } while (0)
#define	SDT_PROBE7(...)			do { } while (0)

#endif /* STACK9_SYS_SDT_H */
