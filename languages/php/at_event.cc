// Puts the frames of PHP that a program has reported into the native stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "at_event.h"

#include <map>
#include <vector>

#include "weave.h"

namespace stack9::languages::php {
namespace {

using offset_t = unsigned short;

constexpr offset_t call_flags = frame_type + 2;

// The words that are reported of a function that does not outlive its calls, in
// the order of function_words, without the instructions.  The instructions
// distinguish functions.
enum moved { moved_opcodes, moved_head, moved_name, moved_scope, moved_file,
    moved_lines, moved_last };

// A function of the next request may be where one of this request was: they
// differ in name, file, lines or first instructions.  Each closure has a
// function of its own, and each file that is included.
void
describe_code(const layout &l, s9_frame_chain &to)
{
	constexpr offset_t name_hash = 8, second_line = op_size + op_line,
	    internal = 1, is_closure = 0x40;
	to.code_mask = ~std::uint64_t{S9_WORD_BITS};
	to.code_kind = function_type;
	to.kind_without = internal;
	to.position_bytes = 8;
	to.position_base = l.opcodes;
	to.of_code = {S9_NOT_THERE, 0, offset_t(l.line_end + 4),
	    {l.opcodes, l.filename, l.lines_word()},
	    {{function_name, {string_length, string_bytes, name_hash}},
	    {l.opcodes, {op_first, op_line, second_line}},
	    {S9_NOT_THERE, {}}, {S9_NOT_THERE, {}}}, 0, {}};
	to.moving = call_flags;
	to.moving_mask = is_closure;
	to.moving_without = function_name;
	to.moved[moved_opcodes] = l.opcodes;
	to.moved[moved_head] = 0;
	to.moved[moved_name] = function_name;
	to.moved[moved_scope] = function_scope;
	to.moved[moved_file] = l.filename;
	to.moved[moved_lines] = l.lines_word();
	to.moved[moved_last] = l.last_word();
	to.copy_index = to.copies = to.instructions = S9_NOT_THERE;
	to.environment = S9_NOT_THERE;
}

bool
read_reported_words(unwind::memory &m, const layout &l, const s9_frame_chain &c,
    const reported_frame &f, function_words &to)
{
	if (f.moved.empty())
		return read_words(m, l, f.code, to);
	const code_words all = moved_code_words(c, f);
	const auto word = [&](moved which) { return all[c.moved[which] / 8]; };
	to = {word(moved_head), word(moved_name), word(moved_scope),
	    word(moved_opcodes), word(moved_file), word(moved_lines),
	    word(moved_last), 0};
	return true;
}

// Reads a function, and what its instructions say.  The file of one that may be
// gone has to be proven: that of code that eval() makes goes with the code, and
// nothing asks for its hash.
bool
read_all(unwind::memory &m, const layout &l, const s9_frame_chain &c,
    const reported_frame &its, function &to, std::size_t &bytes)
{
	function_words w{};
	if (!read_reported_words(m, l, c, its, w))
		return false;
	to = read_function(m, l, w);
	const intact name = w.name == 0 ? intact::yes : is_intact(m, w.name),
	    file = to.opcodes == 0 ? intact::yes : is_intact(m, w.file);
	if (to.what == function::kind::none || name == intact::no ||
	    file == intact::no ||
	    (file == intact::not_known && !its.moved.empty()) ||
	    (to.opcodes != 0 && !keep_code(m, to)))
		return false;
	bytes = to.scope.size() + to.name.size() + to.file.size();
	if (to.kept != nullptr)
		bytes += to.kept->lines.size() * sizeof to.kept->lines[0];
	return true;
}

std::shared_ptr<const function>
find_function(const reported_code_of_php &all, const question &q,
    const layout &l, const s9_frame_chain &c, const reported_frame &f)
{
	return all.find(q, f.code, f.cookie, [&] {
		const s9_reported_object &o = c.of_code;
		return (f.moved.empty() ? cookie_at(q.words, o, f.code) :
		    cookie_of(q.words, o, moved_code_words(c, f))) == f.cookie;
	}, [&](function &to, std::size_t &bytes) {
		return read_all(q.words, l, c, f, to, bytes);
	});
}

} // namespace

bool
describe_chain(const loaded &where, const places &p, const layout &l,
    s9_frame_chain &to)
{
	constexpr offset_t is_top = 2;
	to = {};
	if (p.globals.vaddr == 0)
		return false;
	to.kind = S9_CHAIN_OF_PROCESS;
	to.groups = p.globals.vaddr + where.bias + l.current_execute_data;
	to.ends = S9_ENDS_FLAGGED;
	to.owner = call_flags;
	to.owner_mask = is_top;
	to.mark = frame_type;
	to.mark_mask = kind_mask;
	to.mark_bits = object_kind;
	to.waiting = frame_this;
	to.waits_for = l.generator_node;
	to.frame_of_waiting = l.generator_frame;
	to.code = frame_function;
	to.position = frame_opline;
	to.caller = frame_previous;
	to.frame_bytes = frame_previous + 8;
	to.frames_lie_together = 1;
	describe_code(l, to);
	return to.of_code.bytes <= S9_CHAIN_CODE;
}

// A frame without a function that has an object stands for generators that
// wait.  These follow, outermost first, up to one that has no object.
void
weave_reported(const question &q, const loaded &where, const places &p,
    const layout &l, const reported_code_of_php &all, written_stack &to)
{
	std::vector<frame> frames, waiting;
	std::map<std::uint64_t, function> functions;
	s9_frame_chain c{};
	bool waits = false;
	const auto add_waiting = [&] {
		frames.insert(frames.end(), waiting.rbegin(), waiting.rend());
		waiting.clear();
	};
	auto reported = q.asked.reported;
	describe_chain(where, p, l, c);
	for (reported_frame its; next_reported(reported, its);) {
		frame f{};
		f.function = its.code;
		f.type = (its.ends ? top_flag : 0) |
		    (its.is_marked ? object_kind : 0);
		f.waits = waits;
		if (f.function == 0) {
			waits = f.has_object();
			add_waiting();
			continue;
		}
		const auto found = find_function(all, q, l, c, its);
		functions.emplace(f.function, found != nullptr ? *found :
		    function());
		if (found != nullptr && its.has_position())
			f.opline = found->opcodes + its.position;
		(waits ? waiting : frames).push_back(f);
	}
	add_waiting();
	weave(q, where, p, l, 0, to).run_reported(std::move(frames),
	    std::move(functions));
}

} // namespace stack9::languages::php
