// Writes the notes of stackcount, so that profiles of both can be compared.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "model.h"

#include <fmt/format.h>
#include <stack9.h>

namespace recording {

std::string
note_of(const stack &s)
{
	const char *side = s.side == STACK9_KERNEL ? "kernel" : "user";
	if (s.why == STACK9_WHY_NONE || s.why == STACK9_WHY_USER_MODE ||
	    s.why == STACK9_WHY_KTHREAD)
		return {};
	if (s.error != 0)
		return fmt::format("[no {} stack: {}]", side, s.reason);
	if (s.why == STACK9_WHY_TRUNCATED)
		return fmt::format("[{} stack truncated]", side);
	return "[" + s.reason + "]";
}

} // namespace recording
