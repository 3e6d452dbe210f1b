// Lists the routes of this backend: stacks of this process's own threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "counts.h"
#include "routes.h"

namespace stack9 {
namespace {

constinit route *const routes[] = {
	&self::own_stack,
#ifdef STACK9_LIBUNWIND
	&self::by_libunwind,
#endif
	&self::by_registers,
	&self::by_signal,
};

} // namespace

extern const backend backend_self;
constinit const backend backend_self{"self", routes, nullptr,
    self::each_count};

} // namespace stack9
