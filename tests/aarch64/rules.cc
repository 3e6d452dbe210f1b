// Compares the rules of all code that is loaded with the rows that they were
// made of: on memory that exists nowhere, both have to lead to the same place.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>

#include <link.h>

#include "check.h"

#include "unwind/full.h"
#include "unwind/row_here.h"

using namespace stack9::unwind;

namespace {

// Has at each address a word made of the address; all below 2^48 and aligned.
class reported_memory final : public memory {
public:
	static std::uintptr_t
	at(std::uintptr_t address) noexcept
	{
		return (address * 0x9e3779b97f4a7c15 >> 17) & 0x7ffffffffff0;
	}
	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		if (size != sizeof(std::uintptr_t))
			return false;
		*static_cast<std::uintptr_t *>(to) = at(from);
		return true;
	}
};

registers
somewhere()
{
	registers r;
	for (int n = 0; n < register_count; n++)
		r.set(n, 0x7f0000000000 +
		    static_cast<std::uintptr_t>(n) * 0x100000);
	r.set(register_fp, r.sp() + 0x100000);
	r.exact = true;
	return r;
}

struct count {
	unsigned int rules = 0, full = 0, absent = 0, wrong = 0;
};

// One that takes the return address from memory.
bool
same_step(rule r, const row &by)
{
	reported_memory words;
	registers now = somewhere();
	const std::uintptr_t cfa = r.cfa() +
	    (r.kind() == kind::sp ? now.sp() : now.fp());
	if (full_step(by, words, now) != outcome::stepped)
		return false;
	return now.sp() == cfa &&
	    now.pc() == reported_memory::at(ra_slot(r, cfa)) &&
	    now.fp() == reported_memory::at(fp_slot(r, cfa)) &&
	    ra_slot(r, cfa) < cfa &&
	    (r.kind() == kind::fp || fp_slot(r, cfa) >= somewhere().sp());
}

void
compare_at(std::uintptr_t pc, count &c)
{
	row by;
	const found f = row_here(pc, by);
	const rule r = rule_here(pc);
	switch (r.kind()) {
	case kind::absent:
		c.absent++;
		c.wrong += f != found::no;
		break;
	case kind::full:
		c.full++;
		c.wrong += f == found::no ||
		    (f == found::malformed) != (r.cause() == cause::malformed);
		break;
	case kind::end:
		c.wrong += f != found::yes ||
		    by.places[static_cast<std::size_t>(by.return_column)]
		    .what != place::undefined;
		break;
	case kind::signal:
		c.wrong += f != found::yes || !by.signal_frame;
		break;
	case kind::sp:
	case kind::fp:
		c.rules++;
		c.wrong += f != found::yes || !same_step(r, by);
		break;
	default:
		c.wrong++;
	}
}

int
compare_module(dl_phdr_info *info, std::size_t, void *arg)
{
	auto &c = *static_cast<count *>(arg);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) &p = info->dlpi_phdr[i];
		if (p.p_type != PT_LOAD || (p.p_flags & PF_X) == 0)
			continue;
		const std::uintptr_t begin = info->dlpi_addr + p.p_vaddr;
		for (std::uintptr_t pc = begin; pc < begin + p.p_memsz; pc += 4)
			compare_at(pc, c);
	}
	return 0;
}

} // namespace

SCENARIO(all_rules, "rules of all code that is loaded say what its rows say")
{
	count c;
	dl_iterate_phdr(compare_module, &c);
	std::printf("# %u rules of sp or fp, %u too much for a rule, "
	    "%u without\n", c.rules, c.full, c.absent);
	must(c.rules > 100000, "there are many");
	must(c.wrong == 0, "each is right");
}

SCENARIO(below, "no rule reads what lies below sp")
{
	row r{};
	r.cfa_register = register_sp;
	r.cfa_offset = 32;
	r.return_column = register_lr;
	r.places[register_fp] = {place::offset, 0, -32};
	r.places[register_lr] = {place::offset, 0, -24};
	must(rule_of_row(r, 0) == rule(kind::sp, 4, 4), "all of it is above");
	r.cfa_offset = 24;
	must(rule_of_row(r, 0) == rule(cause::far), "x29 is below");
	r.cfa_register = register_fp;
	must(rule_of_row(r, 0) == rule(kind::fp, 3, 4), "x29 may be anywhere");
}
