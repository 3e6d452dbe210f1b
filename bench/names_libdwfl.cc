// Names addresses by libdwfl's view of a process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names_libdwfl.h"

#include <cstdlib>
#include <memory>

#include <dwarf.h>
#include <elfutils/libdw.h>

namespace {

struct free_it {
	void operator()(void *p) const { std::free(p); }
};

// Function and line of each level, from the innermost one on.
unsigned
inlined_calls(Dwarf_Die *unit, Dwarf_Addr address, unsigned line)
{
	Dwarf_Die *found = nullptr;
	const int n = dwarf_getscopes(unit, address, &found);
	const std::unique_ptr<Dwarf_Die, free_it> scopes(found);
	for (int i = 0; i < n; i++) {
		const int tag = dwarf_tag(&found[i]);
		if (tag == DW_TAG_subprogram)
			break;
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		Dwarf_Attribute at;
		Dwarf_Word called = 0;
		asm volatile("" : : "r"(dwarf_diename(&found[i])));
		if (dwarf_formudata(dwarf_attr(&found[i], DW_AT_call_line, &at),
		    &called) == 0)
			line = static_cast<unsigned>(called);
	}
	return line;
}

} // namespace

bool
libdwfl_view::open(pid_t pid)
{
	static constexpr Dwfl_Callbacks callbacks{dwfl_linux_proc_find_elf,
	    dwfl_standard_find_debuginfo, nullptr, nullptr};
	dwfl_ = dwfl_begin(&callbacks);
	return dwfl_ != nullptr && dwfl_linux_proc_report(dwfl_, pid) == 0 &&
	    dwfl_report_end(dwfl_, nullptr, nullptr) == 0;
}

const char *
libdwfl_view::name(std::uintptr_t pc)
{
	Dwfl_Module *const m = dwfl_addrmodule(dwfl_, pc - 1);
	return m == nullptr ? nullptr : dwfl_module_addrname(m, pc - 1);
}

unsigned
libdwfl_view::lines(std::uintptr_t pc)
{
	Dwfl_Module *const m = dwfl_addrmodule(dwfl_, pc - 1);
	Dwfl_Line *const at = m == nullptr ? nullptr :
	    dwfl_module_getsrc(m, pc - 1);
	int line = 0;
	if (at == nullptr || dwfl_lineinfo(at, nullptr, &line, nullptr,
	    nullptr, nullptr) == nullptr)
		return 0;
	Dwarf_Addr bias = 0;
	Dwarf_Die *const unit = dwfl_module_addrdie(m, pc - 1, &bias);
	return unit == nullptr ? static_cast<unsigned>(line) :
	    inlined_calls(unit, pc - 1 - bias, static_cast<unsigned>(line));
}
