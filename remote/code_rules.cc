// Gives the rules of a stretch of a process's code, from the file that it was
// mapped from.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "core/seam/reader.h"
#include "core/seam/space.h"

#include "process/space.h"
#include "process/tables.h"
#include "unwind/code.h"

namespace stack9 {
namespace {

// Adds the rules of the file's bytes [offset, end), by their distances from the
// byte `at`.
void
add_rules(process::file &f, process::tables &t, std::uint64_t offset,
    std::uint64_t end, std::uint64_t at, std::vector<rule_run> &to)
{
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
			    here);
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
