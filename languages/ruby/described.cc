// Describes the frames of Ruby to the programs that follow them at events.
//
// A frame is an element of an array.  Its environment says what kind of frame
// it is, and leads to its method (vm_core.h, method.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "described.h"

#include <algorithm>
#include <iterator>

namespace stack9::languages::ruby {
namespace {

using offset_t = unsigned short;

// Compiled code has a body: its size and instructions, the file, the label and
// the lines.  A label is a String, and the lines are an array.
void
describe_code(const layout &l, s9_reported_object &to)
{
	constexpr offset_t body = 16, instructions = 8, file = 64, label = 80,
	    place = 104, string_word = 16;
	to = {body, 0, offset_t(l.lines + 8), {instructions, file, place},
	    {{label, {string_word, string_word + 8, string_word + 16}},
	    {l.lines, {0, 8, 16}}, {S9_NOT_THERE, {}},
	    {S9_NOT_THERE, {}}}, 0, {}};
}

// A method has a definition and an owner.  The definition has its kind, what it
// runs and its name; the owner has its class, the one above it, and its
// methods, or what leads to them.
void
describe_entry(s9_reported_object &to)
{
	constexpr offset_t definition = 16, called = 24, owner = 32;
	to = {S9_NOT_THERE, 0, owner + 8, {definition, called, owner},
	    {{definition, {0, 8, 32}}, {owner, {8, 16, 24}},
	    {S9_NOT_THERE, {}}, {S9_NOT_THERE, {}}}, 0, {}};
}

// The kinds of objects of the machine are in their flags.
void
describe_environment(s9_frame_chain &to)
{
	constexpr unsigned int is_internal = 26, a_variable = 2, an_entry = 6,
	    shift = 12, of_variable = 8;
	to.environment = 32;
	to.kind_mask = 0x7fff0001;
	to.kind_hidden = 0x79990001;
	to.kind_function = 0x55550001;
	to.flag_ends = 0x20;
	to.flag_outermost = 2;
	to.value_mask = 0xf01f;
	to.value_entry = is_internal | an_entry << shift;
	to.value_leads = is_internal | a_variable << shift;
	to.value_at = of_variable;
	describe_entry(to.of_entry);
}

} // namespace

s9_frame_chain
describe_chain(const layout &l)
{
	s9_frame_chain to{};
	to.kind = S9_CHAIN_OF_POINTER;
	to.ends = S9_ENDS_FLAGGED;
	std::fill(std::begin(to.path), std::end(to.path), S9_NOT_THERE);
	std::fill(std::begin(to.proof), std::end(to.proof), S9_NOT_THERE);
	to.proof[0] = l.context_thread;
	to.proof[1] = l.thread_native != 0 ? l.thread_native : l.thread_id;
	if (l.thread_native != 0)
		to.proof[2] = l.native_id;
	to.array = 0;
	to.array_words = 8;
	to.frame = 16;
	to.frame_in_record = S9_NOT_THERE;
	to.step = l.frame_size;
	to.position = 0;
	to.code = 16;
	to.frame_bytes = 40;
	to.frames_lie_together = 1;
	to.code_mask = ~std::uint64_t{S9_WORD_BITS};
	to.position_bytes = 8;
	to.position_base = 8;
	to.mark = to.moving = to.waiting = to.code_kind = S9_NOT_THERE;
	to.copy_index = to.copies = to.instructions = S9_NOT_THERE;
	describe_code(l, to.of_code);
	describe_environment(to);
	return to;
}

} // namespace stack9::languages::ruby
