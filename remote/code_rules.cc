// Gives the rules of a stretch of a process's code, from the file that it was
// mapped from.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "core/seam/reader.h"
#include "core/seam/space.h"

#include "languages/languages.h"
#include "process/space.h"
#include "process/tables.h"
#include "unwind/code.h"

namespace stack9 {
namespace {

// Gives the rule of code that .eh_frame does not describe: the code shows how
// its frames are left, unless something else describes it.
unwind::rule
rule_of_gaps(process::file &f, const process::tables &t)
{
	return languages::have_rows(f) || t.has_debug_frame(f) ?
	    unwind::rule() :
	    unwind::rule(unwind::kind::absent, 0, absent_by_code);
}

// Adds the rules of the file's bytes [offset, end), by their distances from the
// byte `at`.
void
add_rules(process::file &f, process::tables &t, std::uint64_t offset,
    std::uint64_t end, std::uint64_t at, std::vector<rule_run> &to)
{
	const unwind::rule gap = rule_of_gaps(f, t);
	std::vector<rule_run> part;
	while (offset < end) {
		const process::file::segment *const s = f.segment_of(offset);
		const std::uint64_t next = std::min(end,
		    f.same_segment_until(offset));
		const auto distance = static_cast<std::uint32_t>(offset - at);
		part.clear();
		process::rule_runs runs(0, part);
		if (s == nullptr)
			runs.put(0, 0);
		else {
			const std::uint64_t vaddr = s->vaddr +
			    (offset - s->offset);
			process::rule_runs here(vaddr, part);
			t.eh_frame_rules(f, vaddr, vaddr + (next - offset),
			    gap, here);
		}
		for (const rule_run &r : part)
			to.push_back({r.from + distance, r.rule});
		offset = next;
	}
}

} // namespace

bool
code_rules(stack9_space &space, std::uintptr_t from, std::uint32_t size,
    std::vector<rule_run> &to)
{
	if (reader *const r = the_unwinder())
		return r->code_rules(space, from, size, to);
	process::place at;
	to.clear();
	if (!space.find(from, at) || at.backing == nullptr ||
	    at.where->end - from < size)
		return false;
	process::file &f = *at.backing;
	process::tables *const t = process::tables::of(f);
	const std::uint64_t offset = from - at.where->start + at.where->offset;
	if (t != nullptr && f.is_64() && f.machine() == unwind::elf_machine)
		add_rules(f, *t, offset, offset + size, offset, to);
	return true;
}

} // namespace stack9
