// Reports the other threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "threads.h"

#include <cstdio>

#include <sys/prctl.h>

#include <stack9_crash.h>

#include "arch/kernel_registers.h"
#include "core/seam/thread.h"
#include "os/proc_task.h"
#include "os/task_directory.h"

#include "copied_memory.h"
#include "frames.h"
#include "text.h"

namespace stack9::crash {
namespace {

constexpr std::size_t threads_read = 4096;
constexpr std::size_t kernel_text = 4096;	// 64 lines, mostly
constexpr std::size_t asleep_most = 1024;	// 64 MiB of copies
constexpr int runs = 3;

const char *
why_not(const tracing::stopped_thread &t) noexcept
{
	if (t.at == tracing::step::copying)
		return "its memory did not come in time";
	switch (t.error) {
	case 0:
		return "its stack could not be read";
	case ESRCH:
		return "it has ended";
	case EPERM:
		return "it runs, and ptrace(2) is not permitted: "
		    "ptrace_scope, another tracer, or a filter of system "
		    "calls";
	case EAGAIN:
		return "it did not stop in time: in disk sleep or vfork";
	case ENOMEM:
		return "no memory for a copy of its stack";
	}
	return "it could not be traced";
}

bool
none_permitted(std::span<const tracing::stopped_thread> all) noexcept
{
	for (const tracing::stopped_thread &t : all)
		if (t.error != EPERM || t.at != tracing::step::seizing)
			return false;
	return !all.empty();
}

tracing::run_end
stop_all(tracing::all_work &what, arena &memory, const deadline &end) noexcept
{
	tracing::run_end how = tracing::run_end::killed;
	for (int i = 0; i < runs && how == tracing::run_end::killed &&
	    !end.passed(); i++) {
		how = tracing::run_as_process(what, memory,
		    end.at_most(500 * millisecond));
		if (how == tracing::run_end::killed && !what.pass_over_last())
			break;
	}
	return how;
}

// With kernel.yama.ptrace_scope 1 a process may be named that is allowed to
// trace this one.  The one that will do it does not exist yet.
void
permit(bool any) noexcept
{
#ifdef PR_SET_PTRACER
	prctl(PR_SET_PTRACER, any ? PR_SET_PTRACER_ANY : 0, 0, 0, 0);
#else
	static_cast<void>(any);
#endif
}

// No process could be made that would trace them.
void
list_untraced(int tasks, tracing::all_work &what) noexcept
{
	lseek(tasks, 0, SEEK_SET);
	each_task(tasks, [&](pid_t tid) {
		if (what.is_new(tid))
			what.add(tid);
		return true;
	});
	for (tracing::stopped_thread &t : what.all())
		t.error = EPERM;
}

void
say_none(const crash &c, const char *why) noexcept
{
	text to(c.fd);
	to << "other threads: none: " << why << "\n";
}

} // namespace

read_kernel_sides::read_kernel_sides(const crash &c, int tasks, arena &memory)
    noexcept
    : what_(c), tasks_(tasks), memory_(memory),
      all_(memory.take_array<thread_before>(threads_read))
{
}

void
read_kernel_sides::add(pid_t tid) noexcept
{
	char path[64], buffer[512];
	std::string_view text;
	thread_stat stat;
	proc_file file;
	thread_before &t = all_[used_];
	t = {tid, '?', nullptr, 0, 0};
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat", what_.pid,
	    tid);
	if (file.open(AT_FDCWD, path) == 0 && file.read(buffer, text) == 0 &&
	    parse_stat(text, stat))
		t.state = stat.state;
	used_++;	// from here on it may be killed
	// A running thread has no kernel stack that could be read.
	if (t.state == 'R' || (what_.flags & STACK9_CRASH_NO_KERNEL) != 0)
		return;
	auto *const to = reinterpret_cast<char *>(memory_.take(kernel_text));
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/stack", what_.pid,
	    tid);
	std::size_t n = 0;
	t.error = to == nullptr ? ENOMEM : file.open(AT_FDCWD, path);
	if (t.error == 0)
		t.error = file.read_some(0, {to, kernel_text}, n);
	t.kernel = to;
	t.size = static_cast<std::uint32_t>(n);
}

void
read_kernel_sides::run(tracing::tracer &) noexcept
{
	each_task(tasks_, [&](pid_t tid) {
		if (tid != what_.tid && used_ < all_.size())
			add(tid);
		return true;
	});
}

const thread_before *
read_kernel_sides::of(pid_t tid) const noexcept
{
	for (const thread_before &t : all_.first(used_))
		if (t.tid == tid)
			return &t;
	return nullptr;
}

// The file's lines are "[<0>] name+0xoff/0xsize [module]".
void
write_threads::write_kernel(text &to, pid_t tid) noexcept
{
	const thread_before *const t = kernel_.of(tid);
	if (t == nullptr || (what_.flags & STACK9_CRASH_NO_KERNEL) != 0)
		return;
	if (t->error != 0)
		to << "    kernel  not readable: " << (t->error == EPERM ?
		    "needs CAP_SYS_ADMIN" : "no /proc/TID/stack") << "\n";
	std::string_view rest(t->kernel != nullptr ? t->kernel : "", t->size);
	while (!rest.empty()) {
		std::string_view line = rest.substr(0, rest.find('\n'));
		rest.remove_prefix(std::min(rest.size(), line.size() + 1));
		line.remove_prefix(line.find(' ') + 1);	// npos: none
		to << "    kernel  " << line << "\n";
	}
}

void
write_threads::write(const tracing::stopped_thread &t, const posture *asleep)
    noexcept
{
	text to(what_.fd);
	const thread_before *const was = kernel_.of(t.tid);
	to << "thread " << t.tid << " (";
	write_name(to, what_.pid, t.tid) << ")";
	if (was != nullptr)
		to << ", state " << std::string_view(&was->state, 1);
	to << ":\n";
	write_kernel(to, t.tid);
	if (t.error != 0 || t.stack.size == 0 ||
	    t.at == tracing::step::copying) {
		to << "    user    unknown: " << why_not(t) << "\n";
		return;
	}
	to.flush();
	unwind::registers known;
	if (t.registers.size != 0)
		arch::read_regs(t.registers.bytes, t.registers.size,
		    [&](int number, std::uint64_t value) {
			known.set(number, value);
		});
	else if (asleep != nullptr) {
		known.set(unwind::register_sp, asleep->sp);
		known.set(unwind::register_pc, asleep->pc);
	}
	known.exact = true;
	copied_memory memory(t.stack);
	const unwind::walked w = unwind::walk_memory(memory, known,
	    pcs_.data(), static_cast<std::uint32_t>(pcs_.size()));
	write_frames(to, pcs_.first(w.depth), w);
}

void
write_threads::run(tracing::tracer &) noexcept
{
	while (next_ < all_.size()) {
		const std::size_t i = next_++;
		write(all_[i], i < postures_.size() ? &postures_[i] : nullptr);
	}
}

void
report_threads(const crash &c, arena &memory, const deadline &end,
    std::span<std::uintptr_t> pcs) noexcept
{
	proc_file tasks;
	if (tasks.open(AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY) !=
	    0)
		return say_none(c, "/proc/self/task cannot be opened");
	read_kernel_sides kernel(c, tasks.get(), memory);
	run_part(kernel, memory, end.at_most(1000 * millisecond));
	lseek(tasks.get(), 0, SEEK_SET);
	const tracing::source from;
	tracing::all_work what(c.pid, tasks.get(), from, memory);
	if (!what.is_ready())
		return say_none(c, "no memory");
	what.is_new(c.tid);	// and so is left out
	tracing::run_end how = stop_all(what, memory, end);
	if (how == tracing::run_end::done && none_permitted(what.all())) {
		permit(true);
		what.pass_over_last();
		how = stop_all(what, memory, end);
		permit(false);
	}
	std::span<posture> postures;
	if (how == tracing::run_end::never)
		list_untraced(tasks.get(), what);
	if (how == tracing::run_end::never || none_permitted(what.all())) {
		postures = memory.take_array<posture>(std::min(
		    what.all().size(), asleep_most));
		copy_asleep(what.all(), postures, memory);
	}
	write_threads writer(c, what.all(), postures, kernel, pcs);
	while (writer.has_more() && !end.passed())
		run_part(writer, memory, end.at_most(4000 * millisecond));
}

} // namespace stack9::crash
