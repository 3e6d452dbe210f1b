// Tries the ways of unwind/passing.h on a stack whose words say where they are.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code.h"

#include <cstring>

#include "core/seam/space.h"

#include "unwind/call.h"
#include "unwind/leave_frame.h"
#include "unwind/rule.h"

namespace stack9::remote {
namespace {

using unwind::kind;
using unwind::registers;
using unwind::rule;

// Has the code of the process, and where no program has a stack, words that are
// their own addresses.
class places final : public unwind::memory {
public:
	static constexpr std::uintptr_t stack = std::uintptr_t{1} << 62;

	explicit places(unwind::memory &code) noexcept : code_(code) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		constexpr std::uintptr_t room = 1 << 24;
		if (from < stack || from - stack > room)
			return code_.read(from, to, size);
		if (size != sizeof from)
			return false;
		std::memcpy(to, &from, size);
		return true;
	}

private:
	unwind::memory	&code_;
};

constexpr std::uintptr_t own_fp = 1;

registers
at(std::uintptr_t pc, bool exact) noexcept
{
	registers r;
	r.set(unwind::register_pc, pc);
	r.set(unwind::register_sp, places::stack);
	r.set(unwind::register_fp, own_fp);
	r.exact = exact;
	return r;
}

// The words of a frame whose function removes it after the address and pops the
// frame pointer last; 0: it does other things.
std::uint32_t
popped_frame(const registers &caller) noexcept
{
	const std::uintptr_t frame = (caller.sp() - places::stack) /
	    unwind::word_size;
	const std::uintptr_t last = caller.sp() - 2 * unwind::word_size;
	return caller.fp() == last && frame <= rule::field_max ?
	    static_cast<std::uint32_t>(frame) : 0;
}

// 0: it is left in another way.
std::uint32_t
rule_of_made(unwind::memory &words, std::uintptr_t pc, bool exact) noexcept
{
	places all(words);
	registers caller;
	if (exact && unwind::forwards(words, pc))
		return 0;
	if (!exact && unwind::behind_call(words, pc) &&
	    unwind::leave_returning(all, at(pc, exact), caller)) {
		if (caller.fp() != own_fp && popped_frame(caller) == 0)
			return 0;
	} else if (!unwind::leave_compiled(all, at(pc, exact), caller)) {
		return jit_rule | rule(kind::fp, 2, 2).bits();
	}
	const std::uintptr_t frame = (caller.sp() - places::stack) /
	    unwind::word_size;
	const std::uint32_t saved = caller.fp() == own_fp ? 0 : 2;
	return frame > rule::field_max ? 0 : jit_rule | rule(kind::sp,
	    static_cast<std::uint32_t>(frame), saved).bits();
}

// A rule is the same for a pc and for the return address that follows it.
std::uint32_t
rule_of_absent(unwind::memory &words, std::uintptr_t lookup) noexcept
{
	places all(words);
	registers caller;
	std::uint32_t frame = 0, by_fp = 0;
	if (!unwind::forwards(words, lookup) &&
	    unwind::system_call_before(words, lookup) == 0)
		by_fp |= absent_exact;
	if (unwind::behind_call(words, lookup + 1)) {
		if (unwind::leave_returning(all, at(lookup + 1, false), caller))
			frame = popped_frame(caller);
		else
			by_fp |= absent_called;
	}
	return rule(kind::absent, frame, by_fp).bits();
}

} // namespace

std::uint32_t
guess_rule(remote_code &code, unwind::memory &words, std::uintptr_t pc,
    bool exact) noexcept
{
	const std::uintptr_t lookup = pc - !exact;
	return code.is_made(lookup) ? rule_of_made(words, pc, exact) :
	    rule_of_absent(words, lookup);
}

} // namespace stack9::remote
