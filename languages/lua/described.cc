// Describes the states of Lua to the programs that find them at events.
//
// A state that runs has the address of a struct lua_longjmp on the stack.  The
// outermost CallInfo is a part of the state, and the next one leads back to it
// (lstate.h).  A call has a function: a closure of Lua or of C, or an address.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "described.h"

#include <algorithm>
#include <iterator>

namespace stack9::languages::lua {
namespace {

using offset_t = unsigned short;

// Maintenance of a release changes no offset below these.
constexpr offset_t of_proto = 16, proto_code_count = 24, size_of_head = 128;

// A prototype has the sizes of its tables, its lines, its tables and its
// source.  All of these stay.  The word before the source of 5.3 does not.  The
// first of the lines and of the instructions, the first local variable, its
// name, and the text of the source are compared, for the memory of all of these
// may be given to others.
void
describe_code(const layout &l, s9_reported_object &to)
{
	const auto at = [](unsigned int offset) {
		return offset_t(offset - of_proto);
	};
	const offset_t source = at(l.source);
	to = {};
	to.through = S9_NOT_THERE;
	to.from = of_proto;
	to.bytes = offset_t(source + 8);
	to.cookie[0] = at(l.upvalues);
	to.cookie[1] = to.cookie[2] = source;
	to.leads[0] = {at(l.lines), {0, 0, 0}};
	to.leads[1] = {at(l.code), {0, 0, 0}};
	to.leads[2] = {at(l.variables), {0, 8, 0}};
	to.leads[3] = {S9_IN_LED, {offset_t(text_at), offset_t(text_at),
	    offset_t(text_at)}};
	to.mixed = l.minor == 3 ? 9 : 12;
	to.text = {source, offset_t(text_at), offset_t(object_type), type_short,
	    11, 16};
}

void
describe_states(const layout &l, s9_states &to)
{
	constexpr offset_t call_next = 24, of_setjmp = 320;
	to.bytes = size_of_head;
	to.kind = object_type;
	to.kind_value = type_thread;
	to.entered = l.jump;
	to.room = of_setjmp;
	to.outermost = offset_t(l.jump + 8);
	to.global = state_global;
	to.leads = offset_t(to.outermost + call_next);
	to.back = call_previous;
	to.back_is = to.outermost;
	to.value_kinds = type_bits;
	to.value_code = type_lua;
	to.value_function = type_c;
	to.value_object = type_c_closure;
	to.of_value = closure_of;
	to.status = l.call_status;
	to.status_mask = reported_status(l);
	to.count = l.minor == 3 ? S9_NOT_THERE : proto_code_count - of_proto;
}

} // namespace

std::uint16_t
reported_status(const layout &l) noexcept
{
	return l.is_hooked | l.is_fresh | l.is_finalizer | call_kind |
	    call_is_tail;
}

s9_frame_chain
describe_chain(const layout &l)
{
	s9_frame_chain to{};
	to.kind = S9_CHAIN_OF_STATES;
	to.ends = S9_ENDS_FLAGGED;
	std::fill(std::begin(to.path), std::end(to.path), S9_NOT_THERE);
	std::fill(std::begin(to.proof), std::end(to.proof), S9_NOT_THERE);
	to.frame = state_call;
	to.frame_in_record = S9_NOT_THERE;
	to.code = 0;
	to.position = l.saved_pc;
	to.caller = call_previous;
	to.owner = l.call_status;
	to.owner_mask = l.is_fresh;
	to.frame_bytes = offset_t((l.call_status + 2 + 7) & ~7);
	to.code_mask = ~std::uint64_t{S9_WORD_BITS};
	to.position_bytes = 8;
	to.position_base = offset_t(l.code - of_proto);
	to.mark = to.moving = to.waiting = to.code_kind = S9_NOT_THERE;
	to.copy_index = to.copies = to.instructions = S9_NOT_THERE;
	to.environment = S9_NOT_THERE;
	describe_code(l, to.of_code);
	describe_states(l, to.states);
	return to;
}

} // namespace stack9::languages::lua
