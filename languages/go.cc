// Makes rows of unwind information from Go's own tables, for x86-64 code.
//
// All frames of Go are found from sp.  A frame has the caller's rbp, and C code
// that called Go needs it.  But only the function's code shows when it is saved
// there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "go.h"

#include <array>
#include <new>
#include <span>
#include <string_view>

#include <dwarf.h>
#include <elf.h>

#include "go_code.h"
#include "go_stacks.h"

namespace stack9::languages {

namespace {

using unwind::found;
using unwind::place;
using unwind::row;

// Lists what a function can do to the stack beside what its table of sp says.
enum class role : std::uint8_t {
	ordinary,
	outermost,	// nothing called it
	base,		// the first on another stack, once it has switched
	starts_thread,	// the same, in the new thread
	keeps_sp,	// is on another stack, and has the old sp in r12
	calls_c,	// is on another stack, and has the old sp there
	called_by_c,	// has a second frame, on the goroutine's stack
	switches,	// is on another stack
	goes_back,	// the same, and its code shows how it goes back
	signal_return,	// a signal handler returns to it
	injected,	// no call: a signal handler made it appear called
};

struct named_role {
	std::string_view	name;
	role			what;
};

// The runtime's own tracebacks treat these functions so; they are in
// asm_amd64.s, sys_linux_amd64.s, time_linux_amd64.s.
constexpr std::array roles{
	named_role{"runtime.goexit", role::outermost},
	named_role{"runtime.asyncPreempt", role::injected},
	named_role{"runtime.sigpanic", role::injected},
	named_role{"runtime.debugCallV2", role::injected},
	named_role{"runtime.rt0_go", role::outermost},
	named_role{"runtime.mcall", role::base},
	named_role{"runtime.morestack", role::base},
	named_role{"runtime.clone", role::starts_thread},
	named_role{"runtime.nanotime1", role::keeps_sp},
	named_role{"runtime.walltime", role::keeps_sp},
	named_role{"runtime.walltime1", role::keeps_sp},
	named_role{"runtime.vgetrandom1", role::keeps_sp},
	named_role{"time.now", role::keeps_sp},
	named_role{"runtime.systemstack", role::goes_back},
	named_role{"runtime.asmcgocall", role::calls_c},
	named_role{"runtime.gogo", role::switches},
	named_role{"runtime.cgocallback", role::called_by_c},
	named_role{"runtime.cgocallback_gofunc", role::called_by_c},
};

bool
is_signal_return(std::string_view name) noexcept
{
	return name.starts_with("runtime.sigreturn");
}

role
role_of(std::string_view name, std::uint8_t flags) noexcept
{
	constexpr std::string_view suffix = ".abi0";
	if (name.ends_with(suffix))
		name.remove_suffix(suffix.size());
	for (const named_role &r : roles)
		if (r.name == name)
			return r.what;
	return is_signal_return(name) ? role::signal_return :
	    (flags & go_function::writes_sp) != 0 ? role::switches :
	    role::ordinary;
}

// Everything that is known of a frame.
struct known {
	role		what = role::ordinary;
	bool		switched = false;
	bool		found_back = false;	// the old stack is found
	std::span<const std::byte> back;	// the CFA on that stack
	std::int32_t	size = 0;	// from sp to the return address
	bool		saved = false;	// rbp is below that
};

// A signal handler returns to the first byte of the function that ends a
// signal, and the byte before it belongs to another function.
bool
begins_signal_return(const go_table &t, std::uint64_t vaddr)
{
	go_function next;
	std::string name;
	return t.find(vaddr + 1, next) && next.begin == vaddr + 1 &&
	    t.name(next, name) && is_signal_return(name);
}

bool
know(const go_table &t, std::uint64_t vaddr, known &k)
{
	go_function f;
	std::string name;
	if (!t.find(vaddr, f) || !t.name(f, name))
		return false;
	if (begins_signal_return(t, vaddr)) {
		k.what = role::signal_return;
		return true;
	}
	k.what = role_of(name, f.flags);
	if (k.what == role::outermost || k.what == role::signal_return)
		return true;
	if (!t.frame(f, vaddr, k.size) || k.size < 0 || k.size % go_word != 0)
		return false;
	const go_code code(t, f, vaddr);
	const std::int32_t saved_in = code.saves_fp();
	k.saved = saved_in != 0 && k.size >= saved_in;
	k.switched = k.what == role::starts_thread ? go_behind_call(t, vaddr) :
	    k.what != role::ordinary && k.what != role::injected &&
	    code.writes_sp();
	if (k.what == role::goes_back)
		k.back = go_back_from_system_stack(t, vaddr, k.size);
	else if (k.what == role::calls_c && go_behind_call(t, vaddr))
		k.back = go_back_from_c(code, k.size);
	k.found_back = k.what == role::keeps_sp || !k.back.empty() ||
	    k.what == role::called_by_c;
	return true;
}

bool
is_outermost(const known &k) noexcept
{
	return k.what == role::outermost || (k.switched &&
	    (k.what == role::base || k.what == role::starts_thread));
}

void
set(row &r, int number, place::how what, std::int64_t offset = 0) noexcept
{
	r.places[static_cast<std::size_t>(number)] = {what, 0, offset};
}

// The goroutine has another g in r14 than the thread.  Its rbp is known only if
// it was saved there.
void
row_of_system_stack(const known &k, row &r) noexcept
{
	set(r, 14, place::undefined);
	if (k.saved)
		set(r, unwind::register_fp, place::offset, -2 * go_word);
	else
		set(r, unwind::register_fp, place::undefined);
	set(r, unwind::register_pc, place::offset, -go_word);
	r.cfa_register = -1;
	r.cfa_expression = k.back;
	r.signal_frame = r.called = true;
}

// Go preserves none of the registers that C preserves, except rbp.
void
row_of_frame(const known &k, row &r) noexcept
{
	constexpr int r12 = 12;
	for (const int lost : {3, 12, 13, 15})
		set(r, lost, place::undefined);
	if (k.switched && k.what == role::called_by_c) {
		row_of_callback(k.size, r);
		return;
	}
	if (k.switched && k.what == role::goes_back) {
		row_of_system_stack(k, r);
		return;
	}
	if (k.saved)
		set(r, unwind::register_fp, place::offset, -2 * go_word);
	set(r, unwind::register_pc, place::offset, -go_word);
	r.cfa_register = k.switched ? r12 : unwind::register_sp;
	r.cfa_offset = std::int64_t{k.size} + go_word;
	if (k.switched && k.what == role::calls_c) {
		r.cfa_register = -1;
		r.cfa_expression = k.back;
	}
	// Only signals are expected to lead to another stack, so a change of
	// stacks is marked as one.  The caller of an injected function was
	// interrupted.
	r.signal_frame = k.switched || k.what == role::injected;
	r.called = k.what != role::injected;
}

void
row_of_signal(row &r) noexcept
{
	for (int n = 0; n < unwind::register_count; n++)
		set(r, n, place::offset,
		    static_cast<std::int64_t>(unwind::signal_slot(n)));
	r.cfa_register = unwind::register_sp;
	r.signal_frame = true;
}

found
row_of(const known &k, row &to) noexcept
{
	row r{};	// all places unspecified
	r.return_column = unwind::register_pc;
	if (is_outermost(k))
		set(r, unwind::register_pc, place::undefined);
	else if (k.what == role::signal_return)
		row_of_signal(r);
	else if (k.switched && !k.found_back)
		return found::malformed;
	else
		row_of_frame(k, r);
	to = r;
	return found::yes;
}

// Makes the row of a function without a table: threads of programs that contain
// C begin in C, and enter Go by a function in assembler (gcc_amd64.S).  The
// code after its call says enough.
found
row_of_return(const go_table &t, std::uint64_t vaddr, row &to) noexcept
{
	int registers[16], count;
	if (!go_behind_call(t, vaddr) ||
	    !go_pops(t, vaddr + 1, registers, count))
		return found::no;
	row r{};
	for (int n = 0; n < count; n++)
		set(r, registers[n], place::offset,
		    (n - count - 1) * std::int64_t{go_word});
	set(r, unwind::register_pc, place::offset, -go_word);
	r.return_column = unwind::register_pc;
	r.cfa_register = unwind::register_sp;
	r.cfa_offset = (count + 1) * std::int64_t{go_word};
	to = r;
	return found::yes;
}

} // namespace

bool
go_has_rows(file &f) noexcept
{
	try {
		return f.machine() == EM_X86_64 && go_table::of(f) != nullptr;
	} catch (const std::bad_alloc &) {
		return true;
	}
}

found
go_row(file &f, std::uint64_t vaddr, row &to) noexcept
{
	if (f.machine() != EM_X86_64)
		return found::no;
	known k;
	try {
		const go_table *const t = go_table::of(f);
		return t == nullptr ? found::no : know(*t, vaddr, k) ?
		    row_of(k, to) : row_of_return(*t, vaddr, to);
	} catch (const std::bad_alloc &) {
		return found::malformed;
	}
}

} // namespace stack9::languages
