// Describes the contexts of Perl to the programs that follow them at events.
//
// An interpreter has the COP and the OP that it runs, and stacks of contexts.
// Closures have a CV each, and share the GV that has their name: so functions
// are known by their GV.  A CV that has none is known by itself (cv.h, gv.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "described.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "languages/thread_value.h"

#include "contexts.h"

namespace stack9::languages::perl {
namespace {

using offset_t = unsigned short;

// A COP has its line and type, its file, and a number that no other one has.
void
describe_statement(s9_reported_object &to)
{
	constexpr offset_t begin = op_bits;
	to = {S9_NOT_THERE, begin, 0x20, {0, offset_t(cop_file - begin), 0x18},
	    {{S9_NOT_THERE, {}}, {S9_NOT_THERE, {}}, {S9_NOT_THERE, {}},
	    {S9_NOT_THERE, {}}}, 0, {}};
}

// A GV has a body and a GP.  The body has a package and a name.  The hash and
// the beginning of the name are compared, for the memory of all of these may be
// given to others.  The bytes after a short name change.
void
describe_glob(s9_reported_object &to)
{
	constexpr offset_t hash = 0, text = hek_key;
	to = {S9_NOT_THERE, 0, sv_u + 8, {sv_any, sv_u, sv_any},
	    {{sv_any, {gv_name, gv_stash, gv_name}},
	    {gv_name | S9_IN_LED, {hash, text, hash}}, {S9_NOT_THERE, {}},
	    {S9_NOT_THERE, {}}}, 0, {}};
}

// A CV without a GV has a package and a name.  One of a block has no code while
// the block does not run, and keeps its name.
void
describe_callee(s9_contexts &to)
{
	constexpr offset_t begin = cv_stash, hash = 0, text = hek_key;
	to.name = cv_name - begin;
	to.flags = (cv_flags - begin) & ~7;
	to.named = std::uint64_t{is_named} << 32;
	to.of_callee = {sv_any, begin, offset_t(to.flags + 8),
	    {0, to.name, to.name},
	    {{to.name, {hash, text, hash}}, {S9_NOT_THERE, {}},
	    {S9_NOT_THERE, {}}, {S9_NOT_THERE, {}}}, 0, {}};
}

void
describe_context(s9_contexts &to)
{
	to.bytes = context_size;
	to.array = stack_contexts;
	to.around = stack_previous;
	to.last = stack_top;
	to.stack_kind = stack_type;
	to.comparing = sort_stack;
	to.from = context_cop;
	to.back = context_return;
	to.callee = context_cv;
	to.handler = context_jump;
	to.kind_mask = type_of_context;
	to.call = type_sub;
	to.another_call = type_format;
	to.eval = type_eval;
	to.again = is_again;
}

} // namespace

s9_frame_chain
describe_contexts(const loaded &where, const places &p, const layout &l)
{
	s9_frame_chain to{};
	to.kind = l.has_threads ? S9_CHAIN_OF_POINTER : S9_CHAIN_OF_PROCESS;
	std::fill(std::begin(to.path), std::end(to.path), S9_NOT_THERE);
	std::fill(std::begin(to.proof), std::end(to.proof), S9_NOT_THERE);
	to.frame_bytes = context_size;
	to.frames_lie_together = 1;
	to.code_mask = ~std::uint64_t{S9_WORD_BITS};
	to.position_base = to.environment = S9_NOT_THERE;
	to.mark = to.moving = to.waiting = to.code_kind = S9_NOT_THERE;
	to.copy_index = to.copies = to.instructions = S9_NOT_THERE;
	describe_statement(to.of_code);
	describe_glob(to.of_entry);
	describe_context(to.contexts);
	describe_callee(to.contexts);
	const auto at = [&](const found_symbol &s, std::uint64_t offset) {
		return l.has_threads ? offset : s.vaddr + where.bias;
	};
	to.contexts.statement = at(p.current_cop, l.current_cop);
	to.contexts.operation = at(p.current_op, current_op);
	to.contexts.stack = at(p.current_stack, l.current_stack);
	return to;
}

// The number of the key is the same in all threads.  A C library that keeps the
// values elsewhere has no interpreter there.
bool
find_way(const question &q, const loaded &where, const places &p,
    const layout &l, s9_frame_chain &to)
{
	std::uint32_t key;
	std::uint64_t it = 0, stack;
	std::vector<context> contexts;
	if (!l.has_threads)
		return true;
	if (!q.words.read(p.key.vaddr + where.bias, &key, sizeof key) ||
	    !thread_value(q.words, q.asked.thread_pointer, key, it) ||
	    it == 0 || !q.words.word(it + l.current_stack, stack) ||
	    !read_contexts(q.words, stack, contexts))
		return false;
	to.path[0] = block_of_key(key);
	to.path[1] = value_of_key(key);
	return true;
}

} // namespace stack9::languages::perl
