// Walks the frames of V8, and names the JavaScript functions that run in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <map>
#include <string>
#include <vector>

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

constexpr std::int64_t bytecode_at = -32, frame_offset_at = -40,
    receiver_at = 16;

class walk {
public:
	walk(const question &q, const layout &l, written_stack &to)
	    : q_(q), heap_(q.words, l), l_(l), scripts_(heap_), to_(to) {}

	void run();

private:
	tagged word(std::uint64_t fp, std::int64_t offset);
	bool is_construction(std::uint64_t fp);
	const compiled &code_of(std::uint64_t pc);
	void add(const frame &, bool is_construction);
	bool add_optimised(const frame &, const compiled &,
	    bool is_construction);
	std::int32_t offset_in_register(tagged bytecode);
	std::int32_t offset_in(const frame &, const compiled &,
	    tagged bytecode);
	void add_function(std::uint32_t at, const call &, tagged bytecode,
	    std::int32_t offset);

	const question			&q_;
	heap				heap_;
	const layout			&l_;
	scripts				scripts_;
	written_stack			&to_;
	std::map<std::uint64_t, compiled> codes_;
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
	// Only where it calls has compiled code a translation.
	if (is_optimised && !f.is_exact &&
	    add_optimised(f, code, is_construction))
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
	const std::vector<frame> all = frames_of(q_, heap_);
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
