// Collects what a core says, of a process that lives: its threads as they are
// captured, without being stopped, its mappings, and what the kernel gave it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "live_contents.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include <elf.h>
#include <fcntl.h>

#include "arch/kernel_registers.h"
#include "core/each.h"
#include "core/reason.h"
#include "core/seam/copy_taker.h"
#include "core/seam/user_copy.h"
#include "os/thread_pointer.h"
#include "process/maps.h"
#include "unwind/walk.h"

namespace stack9::cores {
namespace {

std::string
text_of(pid_t pid, const char *name)
{
	std::ifstream in("/proc/" + std::to_string(pid) + "/" + name,
	    std::ios::binary);
	return {std::istreambuf_iterator<char>(in), {}};
}

constexpr std::size_t ia32_sp = 4, ia32_pc = 8;

// The call that a thread sleeps in, if it still is where it was captured.
std::int64_t
call_of(const stack9_thread &td, const user_copy &copy,
    std::uint64_t (&args)[6])
{
	long long call = -1;
	unsigned long long a[6]{}, sp = 0, pc = 0;
	const std::string text = text_of(td.pid, ("task/" +
	    std::to_string(td.tid) + "/syscall").c_str());
	const bool is_32 = copy.what != user_copy::machine::native;
	const auto value_of = [&](int native, std::size_t ia32) {
		return copy.value[is_32 ? ia32 : static_cast<std::size_t>(
		    native)];
	};
	if (std::sscanf(text.c_str(), "%lld %llx %llx %llx %llx %llx %llx "
	    "%llx %llx", &call, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &sp,
	    &pc) != 9 ||
	    sp != value_of(unwind::register_sp, ia32_sp) ||
	    pc != value_of(unwind::register_pc, ia32_pc))
		return -1;
	std::copy(a, a + 6, args);
	return call;
}

class taker final : public copy_taker {
public:
	explicit taker(live_process &to) noexcept : to_(to) {}

	void take(const stack_record &, const user_copy &) noexcept override;
	bool has_no_memory() const noexcept { return no_memory_; }
	bool is_32() const noexcept { return is_32_; }

private:
	void add(const stack_record &, const user_copy &);

	live_process	&to_;
	bool		no_memory_ = false, is_32_ = false;
};

void
taker::add(const stack_record &rec, const user_copy &copy)
{
	thread t{};
	std::uint64_t args[6]{};
	const auto &of_call = is_32_ ? arch::ia32_call_registers :
	    arch::call_registers;
	t.tid = rec.thread.tid;
	t.size = is_32_ ? arch::ia32_regs_size : arch::regs_size;
	static_assert(arch::regs_size <= registers_max);
	t.pointer = thread_pointer(t.tid);
	const std::int64_t call = call_of(rec.thread, copy, args);
	arch::complete_regs(t.registers, t.size, t.pointer, call);
	for (std::size_t i = 0; call >= 0 && i < std::size(args); i++)
		arch::put_in_regs(t.registers, t.size, of_call[i], args[i]);
	for (int n = 0; n < unwind::register_count; n++)
		if ((copy.known >> n & 1) != 0)
			arch::put_in_regs(t.registers, t.size, n,
			    copy.value[static_cast<std::size_t>(n)]);
	for (const copied_piece *p : copy.pieces())
		to_.bytes->add_copy(p->at, p->bytes.data(), p->bytes.size());
	to_.has.threads.push_back(t);
}

// A program of which one thread runs 32-bit code is of this kind.
void
taker::take(const stack_record &rec, const user_copy &copy) noexcept
try {
	const bool is_32 = copy.what != user_copy::machine::native;
	const std::uint64_t wanted = is_32 ? arch::ia32_walked_registers :
	    arch::walked_registers;
	if (to_.has.threads.empty())
		is_32_ = is_32;
	if (is_32 == is_32_ && (copy.known & wanted) == wanted)
		add(rec, copy);
} catch (const std::bad_alloc &) {
	no_memory_ = true;
}

// Numbers of both kinds of programs become 64-bit ones.
std::vector<std::uint64_t>
words_of(const std::string &bytes, bool is_32)
{
	std::vector<std::uint64_t> to(bytes.size() / (is_32 ? 4 : 8));
	if (!is_32)
		std::memcpy(to.data(), bytes.data(), to.size() * 8);
	for (std::size_t i = 0; is_32 && i < to.size(); i++)
		std::memcpy(&to[i], bytes.data() + 4 * i, 4);
	return to;
}

void
take_facts(pid_t pid, facts &to, std::vector<std::uint64_t> &auxv)
{
	to.pid = pid;
	const std::string name = text_of(pid, "comm"), command = text_of(pid,
	    "cmdline"), words = text_of(pid, "auxv");
	name.copy(to.name, sizeof to.name - 1);
	to.name[std::min(name.find('\n'), sizeof to.name - 1)] = '\0';
	command.copy(to.arguments, sizeof to.arguments - 1);
	for (std::size_t i = 0; i + 1 < std::min(command.size(),
	    sizeof to.arguments - 1); i++)
		if (to.arguments[i] == '\0')
			to.arguments[i] = ' ';
	auxv = words_of(words, to.is_32 != 0);
	for (std::size_t i = 0; i + 1 < auxv.size(); i += 2)
		switch (auxv[i]) {
		case AT_PHDR:
			to.headers = auxv[i + 1];
			break;
		case AT_EXECFN:
			to.program = auxv[i + 1];
			break;
		case AT_SYSINFO_EHDR:
			to.vdso = auxv[i + 1];
			break;
		}
}

process::mapping
mapping_of(const process::maps_line &l)
{
	process::mapping m;
	m.start = l.start;
	m.end = l.end;
	m.inode = l.inode;
	m.major = l.major;
	m.minor = l.minor;
	m.path = process::path_of(l, m.deleted);
	return m;
}

// ELF files with code are found again by their build-ids.  Other files with
// code are not: an archive of classes of Java is one.
std::set<std::string_view>
files_found_again(std::string_view text, live_bytes &bytes)
{
	std::set<std::string_view> with_code, all;
	process::maps_line m;
	for (std::string_view rest = text; process::next_line(rest, m);)
		if (m.executable && m.inode != 0)
			with_code.insert(m.path);
	for (std::string_view rest = text; process::next_line(rest, m);)
		if (m.inode != 0 && m.offset == 0 && m.readable &&
		    with_code.contains(m.path) &&
		    bytes.add_headers(mapping_of(m)))
			all.insert(m.path);
	return all;
}

void
take_mappings(std::string_view text, contents &to, live_bytes &bytes)
{
	const auto found_again = files_found_again(text, bytes);
	process::maps_line m;
	while (process::next_line(text, m)) {
		if (m.path == "[vsyscall]")	// in no process's memory
			continue;
		const std::uint32_t flags = (m.readable ? PF_R : 0u) |
		    (m.writable ? PF_W : 0u) | (m.executable ? PF_X : 0u);
		const bool is_left = !m.shared && m.offset != 0 &&
		    found_again.contains(m.path);
		to.segments.push_back({m.start, m.end, 0, m.end - m.start,
		    flags, is_left ? left_to_file : m.path == "[vdso]" ?
		    of_kernel : 0});
		if (m.inode == 0 || !m.path.starts_with('/'))
			continue;
		to.files.push_back({m.start, m.end, m.offset,
		    static_cast<std::uint32_t>(to.texts.size()),
		    static_cast<std::uint32_t>(m.path.size())});
		to.texts += m.path;
		to.texts += '\0';
	}
	to.about.has_files = 1;
	put_in_order(to);
}

int
count_thread(void *arg, const stack_record *, const stack_record *) noexcept
{
	++*static_cast<std::uint32_t *>(arg);
	return 0;
}

} // namespace

// The value may be there by chance further in, so it is looked for from the
// outside.  A little more shows a walk that the stack ends there.
std::uint64_t
end_of_frames(const user_copy &copy, const std::vector<std::uintptr_t> &pcs)
    noexcept
{
	constexpr std::size_t around = 64;
	const std::size_t width = word_size_of(copy), depth = pcs.size();
	const copied_piece &stack = copy.stack;
	const std::size_t size = stack.bytes.size() & ~(width - 1);
	std::size_t at = depth > 1 ? size : 0;
	for (; at != 0; at -= width)
		if (word_at(copy, at - width) == pcs[depth - 1])
			break;
	if (at == 0)
		at = depth > 1 ? size : unwind::red_zone;
	return stack.at + std::min(at + around, size);
}

std::uintptr_t
word_at(const user_copy &copy, std::size_t at) noexcept
{
	std::uintptr_t word = 0;	// the lower byte comes first
	std::memcpy(&word, copy.stack.bytes.data() + at, word_size_of(copy));
	return copy.what == user_copy::machine::aarch64 ?
	    arch::aarch64::strip(word) : unwind::strip(word);
}

int
read_live(const stack9_thread &process, live_process &to)
{
	const pid_t pid = process.pid;
	to.bytes = std::make_unique<live_bytes>(pid);
	if (const int error = to.bytes->error(); error != 0)
		return error == ENOENT ? ESRCH : error == EACCES ? EPERM :
		    error;
	taker taking(to);
	pass_choice which;
	which.taker = &taking;
	std::uint32_t threads = 0;
	if (const int error = each_record(STACK9_USER, pid, STACK9_ORIGIN(),
	    which, count_thread, &threads); error != 0)
		return error;
	if (taking.has_no_memory())
		throw std::bad_alloc();
	if (to.has.threads.empty())
		return failed(EOPNOTSUPP, "here registers can be read only of "
		    "threads that are stopped");
	to.lacking = threads - std::min(threads, static_cast<std::uint32_t>(
	    to.has.threads.size()));
	byte_buffer maps;
	const unique_fd task(::open(("/proc/" + std::to_string(pid)).c_str(),
	    O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (const int error = process::read_maps(task.get(), maps); error != 0)
		return error;
	to.has.about.is_32 = taking.is_32();
	to.has.about.machine = taking.is_32() ? EM_386 : unwind::elf_machine;
	take_facts(pid, to.has.about, to.has.auxv);
	take_mappings({reinterpret_cast<const char *>(maps.data()),
	    maps.size()}, to.has, *to.bytes);
	return 0;
}

} // namespace stack9::cores
