// Defines the route "procfs".  It gives kernel stacks as /proc/TID/stack prints
// them: by name, without addresses.  It serves callers that ask for text where
// BPF is refused.  The kernel asks for CAP_SYS_ADMIN over its own user
// namespace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "core/seam/backend.h"
#include "os/clocks.h"
#include "os/proc_error.h"
#include <unistd.h>

#include "task.h"
#include "threads.h"
#include "user.h"
#include "wait.h"

namespace stack9 {
namespace procfs {
namespace {

constexpr std::size_t stack_text = 16384;

// Not on the stack: the caller's thread may have 32 KiB of that.
std::unique_ptr<char[]>
text_buffer() noexcept
{
	return std::unique_ptr<char[]>(new (std::nothrow) char[stack_text]);
}

// fs/proc/base.c: MAX_STACK_TRACE_DEPTH.  The file does not show frames further
// out.
constexpr std::uint32_t most_lines = 64;

// Copies the name and all after it from lines of the form
// "[<0>] name+0xoff/0xsize [module]".
std::uint32_t
copy_lines(char *from, stack_record &rec) noexcept
{
	std::uint32_t lines = 0;
	char *to = rec.text;
	std::size_t left = rec.text_size;
	char *rest = nullptr;
	for (char *whole = strtok_r(from, "\n", &rest); whole != nullptr;
	    whole = strtok_r(nullptr, "\n", &rest)) {
		const char *blank = std::strchr(whole, ' ');
		const char *line = blank != nullptr ? blank + 1 : whole;
		const std::size_t n = std::strlen(line);
		if (n + 2 > left) {
			rec.dropped++;
			rec.why = STACK9_WHY_TRUNCATED;
			continue;
		}
		std::memcpy(to, line, n);
		to[n] = '\n';
		to[n + 1] = '\0';
		to += n + 1;
		left -= n + 1;
		lines++;
	}
	return lines;
}

int
describe(const task &t, const stack9_thread &td, stack_record &rec) noexcept
{
	if (td.start != 0 && td.start != t.start) {
		rec.why = STACK9_WHY_REUSED;
		return ESRCH;
	}
	rec.thread = {td.tid, t.pid, t.start};
	rec.state = t.state;
	rec.cpu = t.cpu;
	rec.switches = t.switches;
	std::memcpy(rec.comm, t.comm, sizeof rec.comm);
	if (t.state == 'Z' || t.state == 'X') {
		rec.why = t.state == 'Z' ? STACK9_WHY_ZOMBIE : STACK9_WHY_GONE;
		return ESRCH;
	}
	if (t.state == 'R') {
		rec.why = STACK9_WHY_ON_CPU;
		return EAGAIN;
	}
	return 0;
}

int
gone(int error, stack_record &rec) noexcept
{
	if (error == ESRCH)
		rec.why = STACK9_WHY_GONE;
	if (error == EPERM)
		rec.reason = "/proc/TID/stack needs CAP_SYS_ADMIN";
	return error;
}

// Reads the stack between two reads of the thread's state and switch counts:
// the thread must not have run meanwhile.
int
save_text(const stack9_thread &td, stack_record &rec) noexcept
{
	const auto text = text_buffer();
	std::size_t n = 0;
	task before, after;
	if (text == nullptr) {
		rec.why = STACK9_WHY_RESOURCE;
		rec.reason = "no memory for the text of /proc/TID/stack";
		return ENOMEM;
	}
	int error = read_task(td.tid, before);
	if (error == 0)
		error = describe(before, td, rec);
	if (error == 0)
		error = gone(read_file(td.tid, "stack", text.get(), stack_text,
		    n), rec);
	else if (error == ESRCH && rec.why == STACK9_WHY_NONE)
		rec.why = STACK9_WHY_GONE;
	if (error != 0)
		return error;
	rec.when_ns = boot_ns();
	if (read_task(td.tid, after) != 0 || after.start != before.start ||
	    after.switches != before.switches || after.state == 'R') {
		rec.why = STACK9_WHY_TORN;
		return EAGAIN;
	}
	rec.depth = copy_lines(text.get(), rec);
	rec.flags |= record_has_text;
	if (rec.pcs != nullptr)
		std::fill_n(rec.pcs, rec.max, 0);
	if (rec.depth + rec.dropped >= most_lines)
		rec.why = STACK9_WHY_TRUNCATED;
	if (rec.depth != 0)
		return 0;
	rec.why = STACK9_WHY_REFUSED;
	rec.reason = "/proc/TID/stack is empty";
	return EAGAIN;
}

verdict
can_read() noexcept
{
	const auto text = text_buffer();
	std::size_t n = 0;
	const int error = text == nullptr ? ENOMEM : read_file(getpid(),
	    "stack", text.get(), stack_text, n);
	switch (error) {
	case 0:
		return {0, nullptr};
	case EPERM:
		return {EPERM, "/proc/TID/stack needs CAP_SYS_ADMIN"};
	case ESRCH:
		return {EOPNOTSUPP, "no /proc/TID/stack: the kernel has none"};
	case EOPNOTSUPP:
		return {EOPNOTSUPP, no_proc};
	default:
		return {error, "/proc/TID/stack cannot be read just now"};
	}
}

class one_route final : public kernel_route {
public:
	constexpr one_route() : kernel_route("procfs",
	    "one thread by /proc/TID/stack: names only", 90) {}

	verdict can() noexcept override { return can_read(); }

	int
	save(const stack9_thread &td, stack_record &rec, lead &)
	    noexcept override
	{
		if (rec.text == nullptr || rec.text_size < 2) {
			rec.reason = "/proc/TID/stack has names and no "
			    "addresses";
			return EOPNOTSUPP;
		}
		return save_text(td, rec);
	}
};

class each_route final : public pass_route {
public:
	constexpr each_route() : pass_route("procfs",
	    "all threads by /proc/TID/stack: names only", 90) {}

	verdict can() noexcept override { return can_read(); }

	int
	each(pid_t pid, sink to, void *arg) noexcept override
	{
		const auto text = text_buffer();
		if (text == nullptr)
			return ENOMEM;
		std::uintptr_t zeros[most_lines] = {};
		return every_thread(pid, [&](pid_t p, pid_t tid) {
			stack_record rec{};
			rec.thread = {tid, p, 0};
			rec.route = name;
			rec.cpu = -1;
			rec.state = '?';
			rec.pcs = zeros;
			rec.max = most_lines;
			rec.text = text.get();
			rec.text_size = stack_text;
			rec.error = save_text(rec.thread, rec);
			return to(arg, rec);
		});
	}
};

constinit one_route one;
constinit each_route all;
constinit kernel_route *const kernel[] = {&one};
constinit pass_route *const passes[] = {&all};
constinit stack9::user_route *const user[] = {&user_one};
constinit user_pass_route *const user_each[] = {&user_all};
constinit wait_route *const waits[] = {&wait_by_proc};

} // namespace
} // namespace procfs

extern const backend backend_procfs;
constinit const backend backend_procfs{
	.name = "procfs",
	.kernel = procfs::kernel,
	.each = procfs::passes,
	.user = procfs::user,
	.user_each = procfs::user_each,
	.waits = procfs::waits,
};

} // namespace stack9
