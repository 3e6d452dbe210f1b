// Installs the crash handler when the library is loaded.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include "crash/alternate_stack.h"
#include "crash/crash.h"

#include "destination.h"

namespace stack9::crash {
namespace {

// After those that find the calls of the C library.
[[gnu::constructor(102)]] void
start_with_program() noexcept
{
	if (read_destination(secure_getenv("STACK9_CRASH")) &&
	    prepare_stacks() == 0)
		install(-1, open_destination, 0);
}

} // namespace
} // namespace stack9::crash
