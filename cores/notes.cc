// Reads the notes of a core.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "notes.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iterator>

#include <elf.h>

#include "arch/cpu.h"
#include "arch/kernel_registers.h"
#include "budgets/budgets.h"

namespace stack9::cores {

std::uint64_t
note_reader::word(const std::byte *at) const noexcept
{
	std::uint64_t w64;
	std::uint32_t w32;
	if (as_.word == sizeof w64) {
		std::memcpy(&w64, at, sizeof w64);
		return w64;
	}
	std::memcpy(&w32, at, sizeof w32);
	return w32;
}

// A note has a header of three words, its name and its content, each padded to
// four bytes.
void
note_reader::read(std::uint64_t at, std::uint64_t size)
{
	const auto padded = [](std::uint64_t n) {
		return (n + 3) & ~std::uint64_t{3};
	};
	const std::uint64_t end = at + std::min(size, budgets::of(
	    budgets::core_notes));
	if (end < at)
		return;
	while (end - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr n;
		char name[8]{};
		if (!from_.read(at, n))
			return;
		at += sizeof n;
		const std::uint64_t content = at + padded(n.n_namesz);
		if (content < at || content > end ||
		    padded(n.n_descsz) > end - content)
			return;
		from_.read(at, name, std::min<std::size_t>(n.n_namesz,
		    sizeof name - 1));
		if (std::strcmp(name, "CORE") == 0)
			take(n.n_type, content, n.n_descsz);
		else if (!to_.threads.empty() &&
		    std::strcmp(name, "LINUX") == 0)
			take_of_system(n.n_type, content);
		at = content + padded(n.n_descsz);
	}
}

void
note_reader::take(std::uint32_t type, std::uint64_t at, std::uint32_t size)
{
	switch (type) {
	case NT_PRSTATUS:
		return take_thread(at, size);
	case NT_FPREGSET:
		return take_floats(at, size);
	case NT_PRPSINFO:
		return take_process(at, size);
	case NT_SIGINFO:
		return take_signal(at, size);
	case NT_AUXV:
		return take_auxv(at, size);
	case NT_FILE:
		return take_files(at, size);
	}
}

// Notes that only Linux has, of the thread whose registers came last.
void
note_reader::take_of_system(std::uint32_t type, std::uint64_t at)
{
	thread &t = to_.threads.back();
	if (to_.about.machine != EM_AARCH64)
		return;
	if (type == NT_ARM_TLS)
		from_.read(at, t.pointer);
	else if (type == NT_ARM_PAC_MASK)
		from_.read(at, t.signed_bits);
}

void
note_reader::take_thread(std::uint64_t at, std::uint32_t size)
{
	thread t{};
	std::int16_t signal;
	if (size < as_.registers + as_.register_bytes)
		return;
	if (budgets::exceeds(to_.threads.size() + 1, budgets::core_threads)) {
		to_.about.left_out = 1;
		return;
	}
	if (!from_.read(at + 12, signal) || !from_.read(at + as_.tid, t.tid) ||
	    !from_.read(at + as_.registers, t.registers, as_.register_bytes) ||
	    t.tid < 1)
		return;
	t.signal = signal;
	t.size = static_cast<std::uint32_t>(as_.register_bytes);
	if (to_.about.machine == unwind::elf_machine)
		t.pointer = arch::tls_in_regs(t.registers, t.size);
	to_.threads.push_back(t);
}

// They are those of the thread whose registers came last.
void
note_reader::take_floats(std::uint64_t at, std::uint32_t size)
{
	if (to_.threads.empty() || size > floats_max)
		return;
	thread &t = to_.threads.back();
	if (from_.read(at, t.floats, size))
		t.floats_size = size;
}

void
note_reader::take_process(std::uint64_t at, std::uint32_t size)
{
	facts &f = to_.about;
	if (size < as_.arguments + 80)
		return;
	from_.read(at + as_.pid, f.pid);
	from_.read(at + as_.name, f.name, 16);
	from_.read(at + as_.arguments, f.arguments, 80);
	const std::size_t length = strnlen(f.arguments, 80);
	if (length != 0 && f.arguments[length - 1] == ' ')
		f.arguments[length - 1] = '\0';
}

// The first one is that of the thread that died; gdb writes one for each
// thread.  Signals of faults have an address, and those that were sent a
// sender.
void
note_reader::take_signal(std::uint64_t at, std::uint32_t size)
{
	facts &f = to_.about;
	std::int32_t codes[3];
	if (f.has_siginfo != 0 || size < as_.after_codes + 8 ||
	    !from_.read(at, codes))
		return;
	f.has_siginfo = 1;
	f.signal = codes[0];
	f.code = codes[2];
	std::byte union_[8];
	if (!from_.read(at + as_.after_codes, union_))
		return;
	constexpr int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
	const bool is_fault = std::find(std::begin(faults), std::end(faults),
	    f.signal) != std::end(faults);
	constexpr int by_kernel = 0x80;	// SI_KERNEL: there is no address
	if (is_fault && f.code > 0 && f.code != by_kernel) {
		f.has_address = 1;
		f.address = word(union_);
	} else if (f.code <= 0 && f.signal != 0) {
		f.has_sender = 1;
		std::memcpy(&f.sender, union_, sizeof f.sender);
	}
}

void
note_reader::take_auxv(std::uint64_t at, std::uint32_t size)
{
	facts &f = to_.about;
	to_.auxv.clear();
	std::byte pair[16];
	const std::size_t step = 2 * as_.word;
	for (std::uint32_t n = 0; n < 64 && size - n * step >= step &&
	    n * step < size; n++) {
		if (!from_.read(at + n * step, pair, step))
			return;
		const std::uint64_t value = word(pair + as_.word);
		to_.auxv.insert(to_.auxv.end(), {word(pair), value});
		switch (word(pair)) {
		case AT_NULL:
			return;
		case AT_PHDR:
			f.headers = value;
			break;
		case AT_EXECFN:
			f.program = value;
			break;
		case AT_SYSINFO_EHDR:
			f.vdso = value;
			break;
		}
	}
}

// A count, the size of a page, three words for each file, and all paths, each
// ended by NUL.
void
note_reader::take_files(std::uint64_t at, std::uint32_t size)
{
	std::byte head[16], entry[24];
	const std::size_t w = as_.word;
	if (size < 2 * w || !from_.read(at, head, 2 * w) || !to_.files.empty())
		return;
	std::uint64_t count = word(head);
	const std::uint64_t page = word(head + w);
	if (count > (size - 2 * w) / (3 * w) || page == 0 || page > 1 << 20)
		return;
	to_.about.has_files = 1;
	const std::uint64_t paths = at + 2 * w + count * 3 * w;
	std::uint64_t next = 0;		// the path's place
	std::string texts(std::min<std::uint64_t>(at + size - paths,
	    budgets::of(budgets::core_paths)), '\0');
	if (texts.empty() || !from_.read(paths, texts.data(), texts.size()))
		return;
	if (budgets::exceeds(count, budgets::core_segments)) {
		count = budgets::of(budgets::core_segments);
		to_.about.left_out = 1;
	}
	for (std::uint64_t n = 0; n < count; n++) {
		const std::size_t end = texts.find('\0', next);
		if (end == texts.npos ||
		    !from_.read(at + 2 * w + n * 3 * w, entry, 3 * w))
			break;
		to_.files.push_back({word(entry), word(entry + w),
		    word(entry + 2 * w) * page,
		    static_cast<std::uint32_t>(next),
		    static_cast<std::uint32_t>(end - next)});
		next = end + 1;
	}
	to_.texts = std::move(texts);
}

} // namespace stack9::cores
