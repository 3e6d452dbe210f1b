// Tries the ways of unwind/passing.h on a stack of zeroes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code.h"

#include <cstring>

#include "core/seam/space.h"

#include "unwind/call.h"
#include "unwind/made_frame.h"
#include "unwind/rule.h"

namespace stack9::remote {
namespace {

using unwind::kind;
using unwind::registers;
using unwind::rule;

// Has code as the process has it, and zeroes where no program has a stack.
class zeroes final : public unwind::memory {
public:
	static constexpr std::uintptr_t stack = std::uintptr_t{1} << 62;

	explicit zeroes(unwind::memory &code) noexcept : code_(code) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		constexpr std::uintptr_t room = 1 << 24;
		if (from < stack || from - stack > room)
			return code_.read(from, to, size);
		std::memset(to, 0, size);
		return true;
	}

private:
	unwind::memory	&code_;
};

registers
at(std::uintptr_t pc, bool exact) noexcept
{
	registers r;
	r.set(unwind::register_pc, pc);
	r.set(unwind::register_sp, zeroes::stack);
	r.set(unwind::register_fp, 1);
	r.exact = exact;
	return r;
}

// 0: it is left in another way.
std::uint32_t
rule_of_made(unwind::memory &words, std::uintptr_t pc, bool exact) noexcept
{
	zeroes all(words);
	registers caller;
	if (exact && unwind::forwards(words, pc))
		return 0;
	if (!unwind::leave_compiled(all, at(pc, exact), caller))
		return made_rule | rule(kind::fp, 2, 2).bits();
	const std::uintptr_t frame = (caller.sp() - zeroes::stack) /
	    unwind::word_size;
	return frame > rule::field_max ? 0 : made_rule | rule(kind::sp,
	    static_cast<std::uint32_t>(frame), caller.fp() == 0 ? 2 : 0).bits();
}

bool
is_left_as_called(unwind::memory &words, std::uintptr_t pc) noexcept
{
	zeroes all(words);
	registers caller;
	return unwind::behind_call(words, pc) &&
	    !unwind::leave_returning(all, at(pc, false), caller);
}

// A rule is the same for a pc and for the return address behind it.
std::uint32_t
rule_of_absent(unwind::memory &words, std::uintptr_t lookup) noexcept
{
	const bool exact = !unwind::forwards(words, lookup) &&
	    unwind::system_call_before(words, lookup) == 0;
	return rule(kind::absent, 0,
	    (is_left_as_called(words, lookup + 1) ? absent_called : 0) |
	    (exact ? absent_exact : 0)).bits();
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
