// Walks the frames of V8, and names the JavaScript functions that run in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "languages/of_process.h"

#include "compiled.h"
#include "frame_name.h"
#include "frames.h"
#include "function.h"
#include "layout.h"
#include "lines.h"
#include "translation.h"

namespace stack9::languages {
namespace javascript {
namespace {

constexpr std::int64_t frame_offset_at = -40, receiver_at = 16;

// The information of functions, by their bytecode: both stay where they are
// when a function is moved.
class known_functions {
public:
	void
	keep(tagged bytecode, tagged shared)
	{
		const std::lock_guard hold(lock_);
		if (all_.size() >= most)
			all_.clear();
		all_[bytecode] = shared;
	}
	tagged
	find(tagged bytecode)
	{
		const std::lock_guard hold(lock_);
		const auto known = all_.find(bytecode);
		return known == all_.end() ? 0 : known->second;
	}

private:
	static constexpr std::size_t most = 1 << 16;

	std::mutex	lock_;
	std::unordered_map<tagged, tagged> all_;
};

class walk {
public:
	walk(const question &q, const layout &l, known_functions &known,
	    written_stack &to)
	    : q_(q), known_(known), heap_(q.words, l), l_(l), scripts_(heap_),
	      to_(to), codes_(q, heap_) {}

	void run();

private:
	tagged word(std::uint64_t fp, std::int64_t offset);
	bool is_construction(std::uint64_t fp);
	void add(const frame &, bool is_construction);
	bool add_optimised(const frame &, const compiled &,
	    bool is_construction);
	std::int32_t offset_in_register(tagged bytecode);
	std::int32_t offset_in(const frame &, const compiled &,
	    tagged bytecode);
	void add_function(std::uint32_t at, const call &, tagged bytecode,
	    std::int32_t offset);
	bool has_other_code(const std::vector<frame> &known);
	tagged shared_of(const frame &, const compiled &, tagged bytecode);

	const question			&q_;
	known_functions			&known_;	// for events
	heap				heap_;
	const layout			&l_;
	scripts				scripts_;
	written_stack			&to_;
	codes				codes_;
};

tagged
walk::word(std::uint64_t fp, std::int64_t offset)
{
	return word_of_frame(q_.words, fp, offset);
}

bool
walk::is_construction(std::uint64_t fp)
{
	const tagged marker = word(fp, type_at);
	const auto type = static_cast<std::int64_t>(marker >> 1);
	return (marker & 1) == 0 && (type == l_.construct_frame ||
	    (l_.fast_construct_frame != 0 && type == l_.fast_construct_frame));
}

void
walk::add_function(std::uint32_t at, const call &c, tagged bytecode,
    std::int32_t offset)
{
	const tagged script = script_of(heap_, c.shared);
	// The collector of V8 may have moved the function and the receiver
	// since the event, but seldom what they have of their code.
	const std::string name = frame_name(heap_, !q_.asked.at_event ? c :
	    call{0, c.shared, 0, c.is_construction});
	to_.add(at, written_replaces, "javascript", name,
	    script != 0 ? scripts_.name_of(script) : "", script != 0 &&
	    bytecode != 0 && offset >= 0 ? scripts_.line_of(script, bytecode,
	    offset) : 0);
}

// Functions are listed outermost first, and added innermost first.
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

// While the interpreter runs it has the offset in a register.
std::int32_t
walk::offset_in_register(tagged bytecode)
{
	constexpr std::size_t r9 = 9;
	std::int32_t length;
	if ((q_.copy.known >> r9 & 1) == 0 ||
	    !heap_.small_field(bytecode, heap::length_at, length))
		return -1;
	const std::uint64_t offset = q_.copy.value[r9] -
	    static_cast<std::uint64_t>(l_.bytecodes - 1);
	return length > 0 && offset < static_cast<std::uint64_t>(length) ?
	    static_cast<std::int32_t>(offset) : -1;
}

// The interpreter keeps the offset from the pointer to the bytecode's object.
std::int32_t
walk::offset_in(const frame &f, const compiled &code, tagged bytecode)
{
	if (code.code != 0)
		return code.is_baseline(l_) ? baseline_offset(heap_, code,
		    bytecode, f.pc + f.is_exact) : -1;
	if (f.is_exact)
		return offset_in_register(bytecode);
	const tagged offset = word(f.fp, frame_offset_at);
	return heap::is_small(offset) ? heap::small(offset) -
	    (l_.bytecodes - 1) : -1;
}

// The information of a frame's function; 0: nothing proves which it is.  At an
// event that of another frame with the same bytecode serves, too.
tagged
walk::shared_of(const frame &f, const compiled &code, tagged bytecode)
{
	const tagged function = word(f.fp, function_at);
	tagged shared = 0;
	const bool is_here = heap_.is_function(function) &&
	    heap_.field(function,
	    static_cast<std::uint64_t>(l_.function_shared), shared);
	if (!q_.asked.at_event)
		return is_here ? shared : 0;
	if (code.code != 0 && !code.is_baseline(l_))
		return is_here && (is_made_of(heap_, code, shared) ||
		    bytecode_of(heap_, shared) == 0) ? shared : 0;
	const tagged its = is_here ? bytecode_of(heap_, shared) : 0;
	if (is_here && its == 0 &&
	    heap_.type_of(bytecode) != l_.bytecode_array)
		return shared;
	if (is_here && its == bytecode) {
		known_.keep(bytecode, shared);
		return shared;
	}
	shared = known_.find(bytecode);
	return shared != 0 && bytecode_of(heap_, shared) == bytecode ? shared :
	    0;
}

// A function of V8's own, as Array.sort, has no bytecode, and stays the native
// frame that it is.
void
walk::add(const frame &f, bool is_construction)
{
	tagged bytecode = word(f.fp, bytecode_at);
	if (!heap::is_object(word(f.fp, type_at)))
		return;
	const compiled &code = codes_.of(f.pc);
	const bool is_optimised = code.is_optimised(l_);
	// Only where it calls has compiled code a translation.
	if (is_optimised && !f.is_exact &&
	    add_optimised(f, code, is_construction))
		return;
	const tagged shared = shared_of(f, code, bytecode);
	if (shared == 0) {
		to_.lacking |= q_.asked.at_event;
		return;
	}
	if (bytecode_of(heap_, shared) == 0)
		return;
	if (is_optimised || heap_.type_of(bytecode) != l_.bytecode_array)
		bytecode = 0;
	add_function(f.at, {word(f.fp, function_at), shared,
	    word(f.fp, receiver_at), is_construction}, bytecode,
	    bytecode != 0 ? offset_in(f, code, bytecode) : -1);
}

// A frame of optimised code is not known as such once its function has been
// moved.
bool
walk::has_other_code(const std::vector<frame> &known)
{
	for (std::uint32_t i = 0; i < q_.native.depth; i++)
		if (q_.code.is_made(q_.native.pcs[i]) && std::none_of(
		    known.begin(), known.end(),
		    [i](const frame &f) { return f.at == i; }))
			return true;
	return false;
}

void
walk::run()
{
	const std::vector<frame> all = frames_of(q_, heap_, codes_);
	for (std::size_t i = 0; i < all.size(); i++)
		add(all[i], i + 1 < all.size() &&
		    is_construction(all[i + 1].fp));
	if (q_.asked.at_event)
		to_.lacking |= has_other_code(all);
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
			javascript::walk(q, l,
			    *kept_with<of_process<known_functions>>(
			    where.backing).get(q.space.thread()), to).run();
	}

	// All that leads to a function's name is on the stack, and lives as
	// long as the function does.
	bool
	walk_event(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		if (q.native.depth != 0)
			walk(q, where, to);
		else
			to.chain.kind = S9_CHAIN_ON_STACK;
		return true;
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
