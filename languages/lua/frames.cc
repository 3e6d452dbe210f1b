// Walks the list of CallInfo.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include "languages/chain.h"

namespace stack9::languages::lua {
namespace {

constexpr std::uint32_t most_calls = 1 << 18;

bool
read_function(unwind::memory &m, std::uint64_t call, frame &to)
{
	std::uint64_t at;
	std::uint8_t type;
	if (!m.word(call, at) || !m.word(at, to.value) ||
	    !m.read(at + object_type, &type, sizeof type))
		return false;
	to.function = to.value;
	switch (type & type_bits) {
	case type_lua:
	case type_c_closure:
		to.is_lua = (type & type_bits) == type_lua;
		return m.word(to.value + closure_of, to.function);
	case type_c:
		to.is_lua = false;
		return true;
	default:
		return false;
	}
}

} // namespace

// The outermost CallInfo of each state is of nothing.
bool
read_frames(unwind::memory &m, const layout &l, const state &s,
    std::vector<frame> &to)
{
	std::uint64_t previous, call = s.call;
	const std::size_t before = to.size();
	for (chain calls(most_calls); calls.goes_on(call);) {
		frame f{};
		std::uint16_t status;
		if (!m.word(call + call_previous, previous))
			return false;
		if (previous == 0)
			break;
		if (!read_function(m, call, f) ||
		    !m.read(call + l.call_status, &status, sizeof status) ||
		    ((status & call_kind) != 0) != (f.is_lua == (l.minor == 3)))
			return false;
		if (f.is_lua && !m.word(call + l.saved_pc, f.pc))
			return false;
		f.is_fresh = (status & l.is_fresh) != 0;
		f.is_tail = (status & call_is_tail) != 0;
		f.is_hooked = (status & l.is_hooked) != 0;
		f.is_finalizer = (status & l.is_finalizer) != 0;
		to.push_back(f);
		call = previous;
	}
	if (to.size() > before)
		to.back().is_outermost = true;
	return call != 0;
}

} // namespace stack9::languages::lua
