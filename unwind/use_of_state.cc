// Decides whether a capture may have the state of its thread although another
// capture seems to use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "use_of_state.h"

#include "counts.h"

namespace stack9::unwind {

[[gnu::noinline]] thread_state *
use_of_state::take_over(thread_state *s) noexcept
{
	if (s == nullptr) {
		count(counter::no_state);
		return nullptr;
	}
	const std::uintptr_t *const busy = s->busy;
	if (probe(reinterpret_cast<std::uintptr_t>(busy)) &&
	    *busy == s->token) {
		count(counter::interrupted);
		return nullptr;
	}
	s->last.forget();	// half written, perhaps
	s->spares.restart();
	s->known.forget();
	return s;
}

} // namespace stack9::unwind
