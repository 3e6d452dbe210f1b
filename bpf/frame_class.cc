// Classifies a frame by the name of its function.  Names outlive kernel
// versions better than offsets do, and a stack has no other mark of where it
// ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frame_class.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>

#include "core/seam/names.h"

namespace stack9::bpf {
namespace {

// x86: arch/x86/entry/entry_64.S, entry_64_compat.S, entry_64_fred.S and
// include/asm/idtentry.h.  arm64: arch/arm64/kernel/entry.S, under the names
// of 5.13 on, and before.  These are prefixes, because the inner part of an
// entry may have a name of its own (entry_SYSCALL_64_after_hwframe).
constexpr std::string_view of_interrupts[] = {
	"asm_sysvec_", "asm_common_interrupt", "asm_spurious_interrupt",
	"asm_exc_nmi", "asm_exc_xen_hypervisor_callback",
	"common_interrupt_return",
	"asm_fred_entrypoint_kernel",
	"el0t_64_irq", "el0t_64_fiq", "el0t_32_irq", "el0t_32_fiq",
	"el1h_64_irq", "el1h_64_fiq", "el0_irq", "el1_irq",
};
constexpr std::string_view birth = "ret_from_fork";
constexpr std::string_view entries[] = {
	"entry_SYSCALL", "entry_SYSENTER", "entry_INT80", "asm_int80",
	"asm_exc_", birth, "asm_fred_entrypoint_user",
	"secondary_startup", "common_startup_64", "x86_64_start_kernel",
	"el0t_64_", "el0t_32_", "el0_", "__secondary_switched",
	"__primary_switched",
};
// A tracepoint calls these, and in the end the program:
// kernel/trace/bpf_trace.c, include/trace/bpf_probe.h and
// kernel/trace/trace_syscalls.c.
constexpr std::string_view tracers[] = {
	"bpf_prog_", "bpf_trampoline_", "bpf_trace_run", "__bpf_trace_",
	"__traceiter_", "perf_syscall_", "perf_call_bpf_", "trace_call_bpf",
	"stack_trace_save_tsk", "get_callchain_entry_for_task",
	"__bpf_get_stack", "bpf_get_task_stack",
};

template <std::size_t n>
bool
begins_with_one_of(const std::string_view (&prefixes)[n], std::string_view name)
{
	for (const std::string_view p : prefixes)
		if (name.starts_with(p))
			return true;
	return false;
}

frame_class
by_name(std::uintptr_t pc) noexcept
{
	symbol_name sym;
	const int error = find_name(pc, name_return_address, sym);
	if (error == ENOENT)
		return frame_class::plain;
	if (error != 0)
		return frame_class::unknown;
	if (begins_with_one_of(of_interrupts, sym.name))
		return frame_class::interrupt;
	if (begins_with_one_of(entries, sym.name))
		return frame_class::entry;
	return begins_with_one_of(tracers, sym.name) ? frame_class::tracing :
	    frame_class::plain;
}

// A direct-mapped cache of one word a slot, so that no entry can be torn.
// Every kernel address has its two top bits set, so these bits are free for the
// class.  The text of a module that goes away may be reused.  Entry points are
// never in modules, so a stale entry says plain and is right.  The text of a
// BPF program may be reused too, but the class tracing matters only where a
// stack begins.
constexpr std::uintptr_t address_bits = ~std::uintptr_t{0} >> 2;
std::array<std::atomic<std::uintptr_t>, 1024> cache;

} // namespace

frame_class
classify(std::uintptr_t pc) noexcept
{
	std::atomic<std::uintptr_t> &slot =
	    cache[(pc ^ (pc >> 10)) % cache.size()];
	const std::uintptr_t seen = slot.load(std::memory_order_relaxed);
	if ((seen & address_bits) == (pc & address_bits) && seen != 0)
		return static_cast<frame_class>(seen >> 62);
	const frame_class c = by_name(pc);
	if (c != frame_class::unknown)
		slot.store((pc & address_bits) |
		    static_cast<std::uintptr_t>(c) << 62,
		    std::memory_order_relaxed);
	return c;
}

bool
is_birth(std::uintptr_t pc) noexcept
{
	symbol_name sym;
	return find_name(pc, 0, sym) == 0 && sym.offset == 0 &&
	    std::string_view(sym.name).starts_with(birth);
}

} // namespace stack9::bpf
