// Walks the frames of V8, and names the JavaScript functions that run in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <map>
#include <string>
#include <vector>

#include "unwind/full.h"
#include "unwind/passing.h"

#include "compiled.h"
#include "frame_name.h"
#include "function.h"
#include "layout.h"
#include "lines.h"
#include "translation.h"

namespace stack9::languages {
namespace javascript {
namespace {

// Words of a frame, from the frame pointer (src/execution/frame-constants.h).
// Where a JavaScript function has its context, other frames have their type.
constexpr std::int64_t type_at = -8, function_at = -16, bytecode_at = -32,
    frame_offset_at = -40, receiver_at = 16;

// A native frame that is of V8's code.
struct frame {
	std::uint32_t	at;
	std::uint64_t	pc, fp;
};

class walk {
public:
	walk(const question &q, const layout &l, written_stack &to)
	    : q_(q), heap_(q.words, l), l_(l), scripts_(heap_), to_(to) {}

	void run();

private:
	tagged word(std::uint64_t fp, std::int64_t offset);
	bool is_of_v8(std::uint64_t fp);
	unwind::outcome step(unwind::registers &, unwind::passing &,
	    frame *, bool &is_v8);
	std::vector<frame> frames();
	bool is_construction(std::uint64_t fp);
	const compiled &code_of(std::uint64_t pc);
	void add(const frame &, bool is_construction);
	bool add_optimised(const frame &, const compiled &,
	    bool is_construction);
	std::int32_t offset_in(const frame &, const compiled &,
	    tagged bytecode);
	void add_function(std::uint32_t at, const call &, tagged bytecode,
	    std::int32_t offset);

	const question			&q_;
	heap				heap_;
	const layout			&l_;
	scripts				scripts_;
	written_stack			&to_;
	std::uint64_t			last_fp_ = 0;
	std::map<std::uint64_t, compiled> codes_;
};

tagged
walk::word(std::uint64_t fp, std::int64_t offset)
{
	tagged w = 0;
	q_.words.word(fp + static_cast<std::uint64_t>(offset), w);
	return w;
}

// Tells whether the frame pointer leads to a frame of V8: one of a function, or
// one that has a type.
bool
walk::is_of_v8(std::uint64_t fp)
{
	constexpr tagged most_types = 64;
	const tagged type = word(fp, type_at);
	return heap::is_object(type) ? heap_.is_function(word(fp,
	    function_at)) : (type & 1) == 0 && type != 0 &&
	    type >> 1 < most_types;
}

// Goes to the caller.  Code of V8 has no unwind information, and keeps the
// frame pointer.
unwind::outcome
walk::step(unwind::registers &now, unwind::passing &without_info,
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
	    now.fp() % 8 == 0 && is_of_v8(now.fp()) &&
	    q_.words.word(now.fp(), fp) && q_.words.word(now.fp() + 8, pc)) {
		is_v8 = true;
		last_fp_ = now.fp();
		*to = {0, now.pc(), now.fp()};
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
walk::frames()
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

bool
walk::is_construction(std::uint64_t fp)
{
	const tagged marker = word(fp, type_at);
	const auto type = static_cast<std::int64_t>(marker >> 1);
	return (marker & 1) == 0 && (type == l_.construct_frame ||
	    (l_.fast_construct_frame != 0 && type == l_.fast_construct_frame));
}

const compiled &
walk::code_of(std::uint64_t pc)
{
	const auto [known, is_new] = codes_.try_emplace(pc);
	if (is_new && q_.code.is_made(pc))
		known->second = code_at(heap_, pc);
	return known->second;
}

void
walk::add_function(std::uint32_t at, const call &c, tagged bytecode,
    std::int32_t offset)
{
	const tagged script = script_of(heap_, c.shared);
	to_.add(at, written_replaces, "javascript", frame_name(heap_, c),
	    script != 0 ? scripts_.name_of(script) : "", script != 0 &&
	    bytecode != 0 && offset >= 0 ? scripts_.line_of(script, bytecode,
	    offset) : 0);
}

// Functions are told outermost first, and added innermost first.
bool
walk::add_optimised(const frame &f, const compiled &code, bool is_construction)
{
	const std::vector<inlined> all = functions_at(heap_, code, f.pc, f.fp);
	for (auto i = all.rbegin(); i != all.rend(); i++)
		add_function(f.at, {i->function, i->shared, i->receiver,
		    i->is_construction || (is_construction &&
		    i + 1 == all.rend())}, bytecode_of(heap_, i->shared),
		    i->offset);
	return !all.empty();
}

// The interpreter keeps the offset from the pointer to the bytecode's object.
std::int32_t
walk::offset_in(const frame &f, const compiled &code, tagged bytecode)
{
	if (code.code != 0)
		return code.is_baseline(l_) ? baseline_offset(heap_, code,
		    bytecode, f.pc) : -1;
	const tagged offset = word(f.fp, frame_offset_at);
	return heap::is_small(offset) ? heap::small(offset) -
	    (l_.bytecodes - 1) : -1;
}

// A function of V8's own, as Array.sort, has no bytecode, and stays the native
// frame that it is.
void
walk::add(const frame &f, bool is_construction)
{
	const tagged function = word(f.fp, function_at);
	tagged shared, bytecode = word(f.fp, bytecode_at);
	if (!heap::is_object(word(f.fp, type_at)) ||
	    !heap_.is_function(function) || !heap_.field(function,
	    static_cast<std::uint64_t>(l_.function_shared), shared))
		return;
	const compiled &code = code_of(f.pc);
	const bool is_optimised = code.code != 0 && (code.is_maglev(l_) ||
	    code.is_turbofan(l_));
	if (is_optimised && add_optimised(f, code, is_construction))
		return;
	const tagged its = bytecode_of(heap_, shared);
	if (its == 0)
		return;
	if (is_optimised || heap_.type_of(bytecode) != l_.bytecode_array)
		bytecode = 0;
	add_function(f.at, {function, shared, word(f.fp, receiver_at),
	    is_construction}, bytecode, bytecode != 0 ?
	    offset_in(f, code, bytecode) : -1);
}

void
walk::run()
{
	const std::vector<frame> all = frames();
	for (std::size_t i = 0; i < all.size(); i++)
		add(all[i], i + 1 < all.size() &&
		    is_construction(all[i + 1].fp));
}

} // namespace

class v8 final : public runtime {
public:
	constexpr v8() noexcept : runtime("javascript", marks_, 10) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		std::string_view why;
		const layout &l = layout_of(where.backing, why);
		if (l.major == 0)
			to.note = why;
		else
			javascript::walk(q, l, to).run();
	}

private:
	static constexpr std::string_view marks_[] = {
		"_ZN2v87Isolate10GetCurrentEv",
	};
};

} // namespace javascript

static constexpr javascript::v8 the_runtime;
extern const runtime &runtime_javascript;
const runtime &runtime_javascript = the_runtime;

} // namespace stack9::languages
