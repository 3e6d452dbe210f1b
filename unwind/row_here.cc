// Finds rows in this process's modules, and knows the signal trampoline by its
// instructions.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "row_here.h"

#include "cfi.h"
#include "module.h"
#include "stacks.h"

namespace stack9::unwind {

namespace {

found
row_of_module(const loaded_module &module, std::uintptr_t pc,
    row &to) noexcept
{
	cfi_section image;

	if (module.eh_frame_hdr == nullptr)
		return found::no;
	image.bytes = {reinterpret_cast<const std::byte *>(module.begin),
	    module.end - module.begin};
	image.address = module.begin;
	return row_by_header(image,
	    reinterpret_cast<std::uintptr_t>(module.eh_frame_hdr), pc, to);
}

// Returns true if a signal trampoline begins at the address, or right after it
// if the address is a return address less one, or ends there.  A thread that is
// in the trampoline's system call has its pc after the last instruction.  No
// unwind information covers that pc.  The address may be anything.
bool
is_trampoline(memory &words, std::uintptr_t pc) noexcept
{
	std::array<std::uint8_t, signal_trampoline.size()> code;

	for (const std::uintptr_t at : {pc + 1, pc, pc - code.size()})
		if (words.read(at, code.data(), code.size()) &&
		    code == signal_trampoline)
			return true;
	return false;
}

// Describes the kernel's frame as a row: everything is at a fixed place above
// sp.
void
describe_signal_frame(std::uintptr_t pc, row &to) noexcept
{
	to = {};
	to.cfa_register = register_sp;
	to.return_column = register_pc;
	to.signal_frame = true;
	to.begin = pc;
	to.end = pc + 1;
	for (int n = 0; n < register_count; n++)
		to.places[static_cast<std::size_t>(n)] = {place::offset, 0,
		    static_cast<std::int64_t>(signal_slot(n))};
}

} // namespace

// Linux before 5.8 describes its trampoline on aarch64 wrongly, so a row that
// is not the known signal frame is checked against the instructions.
found
or_trampoline(found f, memory &words, std::uintptr_t pc, row &to) noexcept
{
	if (f == found::malformed || (f == found::yes && (!to.signal_frame ||
	    rule_of_row(to, pc).kind() == kind::signal)))
		return f;
	if (!is_trampoline(words, pc))
		return f;
	describe_signal_frame(pc, to);
	return found::yes;
}

found
row_here(std::uintptr_t pc, row &to) noexcept
{
	loaded_module module;
	own_memory words;

	return or_trampoline(find_module(pc, module) ?
	    row_of_module(module, pc, to) : found::no, words, pc, to);
}

rule
rule_here(std::uintptr_t pc) noexcept
{
	row r;

	switch (row_here(pc, r)) {
	case found::yes:
		return rule_of_row(r, pc);
	case found::malformed:
		return cause::malformed;
	case found::no:
		break;
	}
	return kind::absent;
}

} // namespace stack9::unwind
