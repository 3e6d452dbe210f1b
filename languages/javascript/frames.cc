// Steps through a native stack, and through code of V8 in it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include "unwind/full.h"
#include "unwind/passing.h"

namespace stack9::languages::javascript {
namespace {

class stepper {
public:
	stepper(const question &q, heap &h, codes &c) noexcept
	    : q_(q), heap_(h), codes_(c) {}

	std::vector<frame> frames();

private:
	bool is_of_v8(const unwind::registers &);
	bool calls_here(std::uint64_t pc);
	unwind::outcome step(unwind::registers &, unwind::passing &,
	    frame *, bool &is_v8);

	const question	&q_;
	heap		&heap_;
	codes		&codes_;
	std::uint64_t	last_fp_ = 0;
};

// Returns true if optimised code makes a call that returns to this address.
bool
stepper::calls_here(std::uint64_t pc)
{
	const compiled &code = codes_.of(pc);
	return code.is_optimised(heap_.known()) &&
	    safe_point_of(heap_, code, pc).is_here;
}

// Returns true if the frame pointer leads to a frame of V8: one of a function,
// or one that has a type.  The function may have been moved since an event.
// Bytecode and code seldom are.
bool
stepper::is_of_v8(const unwind::registers &now)
{
	constexpr tagged most_types = 64;
	const std::uint64_t fp = now.fp();
	const tagged type = word_of_frame(q_.words, fp, type_at);
	if (!heap::is_object(type))
		return (type & 1) == 0 && type != 0 && type >> 1 < most_types;
	return heap_.is_function(word_of_frame(q_.words, fp, function_at)) ||
	    (q_.asked.at_event && (heap_.type_of(word_of_frame(q_.words, fp,
	    bytecode_at)) == heap_.known().bytecode_array ||
	    (!now.exact && calls_here(now.pc()))));
}

// Goes to the caller.  Code of V8 has no unwind information, and keeps the
// frame pointer.  Where a thread runs, it may not have set it yet.  The native
// walk knows, because it has read the instructions.
unwind::outcome
stepper::step(unwind::registers &now, unwind::passing &without_info,
    frame *to, bool &is_v8)
{
	unwind::row r;
	const unwind::found there = q_.code.row_of(now.lookup(), r);
	std::uint64_t pc, fp;
	is_v8 = false;
	if (there == unwind::found::yes)
		return without_info.or_pass(unwind::full_step(r, q_.words,
		    now), now);
	if (there == unwind::found::malformed)
		return unwind::outcome::malformed;
	if (now.knows(unwind::register_fp) && now.fp() > last_fp_ &&
	    now.fp() % 8 == 0 && is_of_v8(now) &&
	    q_.words.word(now.fp(), fp) && q_.words.word(now.fp() + 8, pc) &&
	    (!now.exact || (q_.native.depth > 1 && q_.native.pcs[1] == pc))) {
		is_v8 = true;
		last_fp_ = now.fp();
		*to = {0, now.pc(), now.fp(), now.exact};
		// It keeps no other register.
		now.known = 0;
		now.set(unwind::register_sp, now.fp() + 16);
		now.set(unwind::register_fp, fp);
		now.set(unwind::register_pc, pc);
		now.exact = false;
		return unwind::outcome::stepped;
	}
	return without_info.or_pass(unwind::outcome::no_info, now);
}

// Steps as the native walk did, and goes on where it left a frame of V8 in
// another way, or not at all.
std::vector<frame>
stepper::frames()
{
	std::vector<frame> all;
	unwind::registers now;
	stack_record &native = q_.native;
	for (int n = 0; n < unwind::register_count; n++)
		if ((q_.copy.known >> n & 1) != 0)
			now.set(n, q_.copy.value[static_cast<std::size_t>(n)]);
	now.exact = true;
	unwind::passing without_info(q_.code, q_.words);
	bool is_v8, is_other = false;
	frame f;
	if (native.depth == 0 || now.pc() != native.pcs[0])
		return all;
	for (std::uint32_t at = 0; at < native.max;) {
		const unwind::outcome how = step(now, without_info, &f, is_v8);
		if (is_v8) {
			f.at = at;
			all.push_back(f);
		}
		if (how == unwind::outcome::end && is_other) {
			native.why = STACK9_WHY_NONE;
			native.reason = nullptr;
		}
		if (how != unwind::outcome::stepped)
			break;
		if (++at >= native.max) {
			native.why = STACK9_WHY_TRUNCATED;
			native.reason = nullptr;
			break;
		}
		if (!is_other && at < native.depth &&
		    native.pcs[at] == now.pc())
			continue;
		if (!is_other && !is_v8)
			break;
		is_other = true;
		native.flags |= STACK9_STACK_GUESSED;
		native.pcs[at] = now.pc();
		native.depth = at + 1;
	}
	return all;
}

} // namespace

std::vector<frame>
frames_of(const question &q, heap &h, codes &c)
{
	return stepper(q, h, c).frames();
}

} // namespace stack9::languages::javascript
