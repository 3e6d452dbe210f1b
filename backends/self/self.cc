// This process's own stacks: the table of routes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "routes.h"

namespace stack9 {
namespace {

constinit route *const routes[] = {
	&self::own_stack,
	&self::by_registers,
	&self::by_signal,
};

} // namespace

extern const backend backend_self;
constinit const backend backend_self{"self", routes};

} // namespace stack9
