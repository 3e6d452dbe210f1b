// Lists the routes of this backend: stacks of this process's own threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "routes.h"

namespace stack9 {
namespace {

constinit own_route *const own[] = {
	&self::own_stack,
#ifdef STACK9_LIBUNWIND
	&self::by_libunwind,
#endif
};
constinit sibling_route *const sibling[] = {
	&self::by_registers,
	&self::by_signal,
};

} // namespace

extern const backend backend_self;
constinit const backend backend_self{
	.name = "self",
	.self = own,
	.sibling = sibling,
	.counts = self::each_count,
};

} // namespace stack9
