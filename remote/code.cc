// Finds rules and rows for a process's code, and keeps the rules by file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code.h"

#include <algorithm>

#include "unwind/begin.h"
#include "unwind/row_here.h"
#include "unwind/table.h"

#include "languages/languages.h"
#include "process/files.h"
#include "process/tables.h"

namespace stack9::remote {
namespace {

using process::file;
using process::mapping;
using process::place;
using process::tables;
using unwind::found;
using unwind::kind;
using unwind::row;
using unwind::rule;
using unwind::rule_table;


constexpr std::uint64_t mask = (std::uint64_t{1} << 48) - 1;

// The p_vaddrs of every file begin at 0, and an entry's place in the table
// depends on the address alone.  So that files use different places, each
// file's number shifts its addresses.
std::uint64_t
moved(const file &f) noexcept
{
	constexpr std::uint64_t stride = 0x9e3779b1 * 0x40ull;
	return f.id() * stride;
}

// Finds the row if .eh_frame has none.
found
row_without(file &f, tables &t, std::uint64_t vaddr, row &to) noexcept
{
	const found how = languages::row_of(f, vaddr, to);
	return how == found::no ? t.debug_frame_row(f, vaddr, to) : how;
}

void
describe_outermost(row &to) noexcept
{
	to = {};
	to.cfa_register = unwind::register_sp;
	to.return_column = unwind::register_pc;
	to.places[unwind::register_pc].what = unwind::place::undefined;
}

// The byte before a planted return address belongs to no function.
bool
is_planted(file &f, tables &t, const place &at, unwind::memory &words) noexcept
{
	row next;
	const std::uint64_t begin = at.vaddr + 1;
	return t.eh_frame_row(f, begin, next) == found::yes &&
	    unwind::is_planted(next, begin, words, begin + at.bias);
}

found
file_row(const place &at, unwind::memory &words, row &to) noexcept
{
	file &f = *at.backing;
	const std::uint64_t vaddr = at.vaddr;
	tables *const t = tables::of(f);
	if (t == nullptr || !f.is_64() || f.machine() != unwind::elf_machine)
		return found::no;
	found how = t->eh_frame_row(f, vaddr, to);
	if (how == found::no)
		how = row_without(f, *t, vaddr, to);
	if (how != found::no || !is_planted(f, *t, at, words))
		return how;
	describe_outermost(to);
	return found::yes;
}

} // namespace

// Enters the stretch of an address.  False: no file has the address, or the
// file has no number.
bool
remote_code::enter(std::uintptr_t lookup) noexcept
{
	place at;
	if (!space_.find(lookup, at) || at.backing == nullptr ||
	    at.backing->id() == 0)
		return false;
	const mapping &m = *at.where;
	const std::uint64_t offset = lookup - m.start + m.offset;
	const file::segment *const s = at.backing->segment_of(offset);
	if (s == nullptr || !rule_table::can_hold(s->vaddr + s->size))
		return false;
	const std::uint64_t first = std::max(s->offset, m.offset);
	here_.start = m.start + (first - m.offset);
	here_.size = std::min(m.end - here_.start,
	    s->offset + s->size - first);
	here_.id = at.backing->id();
	here_.moved = s->vaddr + (first - s->offset) - here_.start +
	    moved(*at.backing);
	return true;
}

found
remote_code::row_of(std::uintptr_t lookup, row &to) noexcept
{
	place at;
	found how = found::no;
	if (space_.find(lookup, at) && at.backing != nullptr &&
	    at.vaddr != 0) {
		how = file_row(at, words_, to);
		to.begin += at.bias;
		to.end += at.bias;
	}
	return unwind::or_trampoline(how, words_, lookup, to);
}

// Returns true if the address is in a function of many rules, all of which were
// made for another address.
bool
remote_code::is_known(std::uintptr_t lookup, rule &to) noexcept
{
	place at;
	if (!space_.find(lookup, at) || at.backing == nullptr)
		return false;
	tables *const t = tables::of(*at.backing);
	return t != nullptr && t->known_rule(at.vaddr, to);
}

rule
remote_code::compute(std::uintptr_t lookup) noexcept
{
	row r;
	if (rule known; is_known(lookup, known))
		return known;
	switch (row_of(lookup, r)) {
	case found::yes:
		return unwind::rule_of_row(r, lookup);
	case found::malformed:
		return unwind::cause::malformed;
	case found::no:
		break;
	}
	return kind::absent;
}

rule
remote_code::rule_of(std::uintptr_t lookup) noexcept
{
	if (lookup - here_.start >= here_.size && !enter(lookup))
		return compute(lookup);
	const std::uint64_t key = rule_table::key_of(
	    static_cast<std::uint16_t>(here_.id),
	    (lookup + here_.moved) & mask);
	const rule_table::entry *const e = process::file_rules.find(key);
	rule r;
	if (e != nullptr && e->get(key, r))
		return r;
	r = compute(lookup);
	process::file_rules.keep(key, r);
	return r;
}

bool
remote_code::covers(std::uintptr_t pc) noexcept
{
	place at;
	return space_.find(pc, at) && at.where->executable;
}

bool
remote_code::is_made(std::uintptr_t pc) noexcept
{
	place at;
	const bool mapped = space_.find(pc, at);
	if (mapped && at.where->executable)
		return process::is_of_no_file(*at.where);
	lacks_code_ |= process::could_be_code(pc);
	return false;
}

bool
remote_code::is_start(std::uintptr_t pc) noexcept
{
	place at;
	return space_.find(pc, at) && at.backing != nullptr &&
	    unwind::is_behind_entry(at.vaddr, at.backing->entry());
}

bool
remote_code::was_read(std::uintptr_t lookup) noexcept
{
	place at;
	if (!space_.find(lookup, at))
		return true;
	if (at.backing == nullptr)
		return at.where->inode == 0 || !at.where->executable ||
		    process::is_of_no_file(*at.where);
	const tables *const t = tables::of(*at.backing);
	return t == nullptr || !t->is_left_out();
}

// A stack may have grown since the snapshot, and may consist of a few mappings
// (mlock(2), madvise(2)).  If a process has ended, only its mappings of code
// may be known.
bool
remote_code::is_one_stack(std::uintptr_t from, std::uintptr_t to) noexcept
{
	constexpr int most = 8;
	place at, last;
	const bool has_end = space_.find(to, last);
	if (!space_.find(from, at))
		return !has_end || last.where->path == "[stack]";
	for (int n = 0; n < most; n++) {
		if (!at.where->writable || to < from)
			return false;
		if (to < at.where->end)
			return true;
		if (!space_.find(at.where->end, at))
			return false;
	}
	return false;
}

bool
remote_code::is_stack_end(std::uintptr_t cfa) noexcept
{
	return remote::is_stack_end(space_, cfa);
}

bool
is_stack_end(stack9_space &space, std::uintptr_t cfa) noexcept
{
	place at;
	return space.find(cfa - 1, at) && at.where->writable &&
	    unwind::is_at_end(cfa, at.where->end);
}

} // namespace stack9::remote
