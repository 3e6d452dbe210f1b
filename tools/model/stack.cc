// Makes and changes what is known of one side of a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stack.h"

namespace tools {

stack
without_frames(int side, int error, int why, const char *reason,
    const char *route)
{
	stack s;
	s.side = side;
	s.error = error;
	s.why = why;
	s.reason = reason != nullptr ? reason : stack9_why_text(why);
	s.route = route;
	return s;
}

void
cut(stack &s, std::uint32_t frames)
{
	if (s.depth() <= frames)
		return;
	s.dropped += s.depth() - frames;
	s.why = STACK9_WHY_TRUNCATED;
	s.reason = stack9_why_text(STACK9_WHY_TRUNCATED);
	s.pcs = s.pcs.first(std::min<std::size_t>(s.pcs.size(), frames));
	s.text = s.text.first(std::min<std::size_t>(s.text.size(), frames));
}

} // namespace tools
