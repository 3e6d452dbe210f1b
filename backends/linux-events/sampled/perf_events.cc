// Opens an event for each thread in each CPU, because the kernel gives a
// buffer to no event that is inherited and belongs to no CPU.  All events of a
// CPU share a buffer.  Threads that are made later inherit the event.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "perf_events.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "arch/perf_registers.h"
#include "os/task_directory.h"

namespace stack9::events {
namespace {

// The most that kernel.perf_event_mlock_kb allows usually.
constexpr std::size_t ring_size = 512 << 10;
constexpr std::uint32_t stack_size = 16 << 10, wake_at = ring_size / 8;
constexpr std::uint64_t sampled = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
    PERF_SAMPLE_CPU | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

perf_event_attr
attr_of(const probe &p)
{
	perf_event_attr attr{};
	attr.size = sizeof attr;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = p.config;
	attr.freq = p.frequency;
	attr.sample_period = p.period;
	if (p.kind == probe_kind::off_cpu) {
		attr.config = PERF_COUNT_SW_DUMMY;
		attr.context_switch = 1;
	}
	attr.sample_type = sampled;
	attr.sample_regs_user = arch::perf_registers;
	attr.sample_stack_user = stack_size;
	attr.exclude_hv = attr.exclude_callchain_user = 1;
	attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
	attr.sample_id_all = 1;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_BOOTTIME;
	attr.watermark = 1;
	attr.wakeup_watermark = wake_at;
	return attr;
}

// True if nobody sees such an event who may not see the kernel.
bool
happens_in_kernel(const probe &p) noexcept
{
	return p.kind == probe_kind::software &&
	    (p.config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
	    p.config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

template <class T>
bool
take(const char *&at, const char *end, T &to) noexcept
{
	if (static_cast<std::size_t>(end - at) < sizeof to)
		return false;
	std::memcpy(&to, at, sizeof to);
	at += sizeof to;
	return true;
}

// The frames come after a mark.
void
take_kernel(const std::uint64_t *chain, std::uint64_t n, perf_sample &to)
    noexcept
{
	constexpr std::uint64_t kernel = PERF_CONTEXT_KERNEL;
	if (n == 0 || chain[0] != kernel)
		return;
	to.kernel = chain + 1;
	while (to.frames < n - 1 &&
	    to.kernel[to.frames] < static_cast<__u64>(PERF_CONTEXT_MAX))
		to.frames++;
}

} // namespace

unique_fd
open_event(perf_event_attr &attr, pid_t tid, int cpu)
{
	return unique_fd(static_cast<int>(syscall(SYS_perf_event_open, &attr,
	    tid, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
}

// ENODEV of one CPU: it does not exist, or it is off.
int
perf_events::open_thread(perf_event_attr &attr, pid_t tid)
{
	for (of_cpu &c : cpus_) {
		unique_fd event = open_event(attr, tid, c.cpu);
		if (!event && errno == ENODEV)
			continue;
		if (!event)
			return errno;
		event.step_aside();
		if (c.first) {
			if (ioctl(event.get(), PERF_EVENT_IOC_SET_OUTPUT,
			    c.first.get()) != 0)
				return errno;
			more_.push_back(std::move(event));
		} else if (const int error = add_ring(c, std::move(event));
		    error != 0) {
			return error;
		}
	}
	return 0;
}

int
perf_events::add_ring(of_cpu &c, unique_fd &&event)
{
	perf_ring made;
	if (const int error = made.map(event.get(), ring_size); error != 0)
		return error;
	epoll_event wanted{};
	wanted.events = EPOLLIN;
	if (epoll_ctl(ready_.get(), EPOLL_CTL_ADD, event.get(), &wanted) != 0)
		return errno;
	rings_.push_back(std::move(made));
	c.first = std::move(event);
	return 0;
}

// Threads may be made while others are opened, until all that are there are
// known.
int
perf_events::open_all(perf_event_attr &attr, pid_t pid, pid_t tid)
{
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/task", pid);
	for (bool any = true; any;) {
		const unique_fd dir(::open(path, O_RDONLY | O_DIRECTORY |
		    O_CLOEXEC));
		if (!dir)
			return ESRCH;
		int error = 0;
		any = false;
		each_task(dir.get(), [&](pid_t each) {
			if ((tid != 0 && each != tid) ||
			    !opened_.insert(each).second)
				return true;
			const int how = open_thread(attr, each);
			any |= how == 0;
			error = how != 0 && how != ESRCH ? how : error;
			return error == 0;
		});
		if (error != 0)
			return error;
	}
	return rings_.empty() ? ESRCH : 0;
}

int
perf_events::open(const probe &p, const watch_filter &f, unsigned int sides,
    std::string &why)
{
	perf_event_attr attr = attr_of(p);
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	stack9_thread of{f.pid, f.pid, 0};
	ready_ = unique_fd(epoll_create1(EPOLL_CLOEXEC));
	if (!ready_)
		return errno;
	for (int cpu = 0; cpu < cpus; cpu++)
		if (!(f.flags & STACK9_WATCH_ONE_CPU) || f.cpu == cpu)
			cpus_.push_back({cpu, unique_fd()});
	if (f.pid == 0)
		if (const int error = stack9_thread_find(f.tid, &of);
		    error != 0)
			return error;
	attr.inherit = attr.inherit_thread = f.tid == 0;
	int error = EACCES;
	for (const bool kernel : {true, false}) {
		has_kernel_ = kernel && (sides & STACK9_KERNEL);
		attr.exclude_kernel = !kernel;
		if (!kernel && happens_in_kernel(p))
			break;
		attr.sample_type = sampled | (has_kernel_ ?
		    PERF_SAMPLE_CALLCHAIN : 0);
		opened_.clear();
		error = open_all(attr, of.pid, f.tid);
		// Linux before 5.13 knows only events that new processes have,
		// too.
		if (error == EINVAL && attr.inherit_thread) {
			attr.inherit_thread = 0;
			opened_.clear();
			error = open_all(attr, of.pid, f.tid);
		}
		if (error != EACCES && error != EPERM)
			break;
	}
	if (error == EACCES || error == EPERM) {
		why = happens_in_kernel(p) ? "needs CAP_PERFMON: the kernel "
		    "itself makes these events" : "needs CAP_PERFMON: the "
		    "process is another user's, or kernel.perf_event_paranoid "
		    "does not allow it";
		return EPERM;
	}
	return error;
}

void
perf_events::end() noexcept
{
	for (const of_cpu &c : cpus_)
		if (c.first)
			ioctl(c.first.get(), PERF_EVENT_IOC_DISABLE, 0);
	for (const unique_fd &fd : more_)
		ioctl(fd.get(), PERF_EVENT_IOC_DISABLE, 0);
}

bool
read_sample(const char *record, std::size_t size, bool has_kernel,
    perf_sample &to) noexcept
{
	const char *at = record + sizeof(perf_event_header);
	const char *const end = record + size;
	std::uint64_t n = 0, abi = 0, wanted = 0, copied = 0;
	std::uint32_t unused;
	if (!take(at, end, to.pid) || !take(at, end, to.tid) ||
	    !take(at, end, to.when_ns) || !take(at, end, to.cpu) ||
	    !take(at, end, unused))
		return false;
	const auto left = [&] { return static_cast<std::size_t>(end - at); };
	const auto words = [&] {
		return reinterpret_cast<const std::uint64_t *>(at);
	};
	if (has_kernel) {
		if (!take(at, end, n) || n > left() / 8)
			return false;
		take_kernel(words(), n, to);
		at += 8 * n;
	}
	if (!take(at, end, abi))
		return false;
	if (abi != PERF_SAMPLE_REGS_ABI_NONE) {
		constexpr auto registers = static_cast<std::size_t>(
		    __builtin_popcountll(arch::perf_registers));
		if (left() < 8 * registers)
			return false;
		to.registers = words();
		at += 8 * registers;
	}
	if (!take(at, end, wanted) || wanted == 0)
		return wanted == 0;
	if (left() < wanted + 8)
		return false;
	to.stack = at;
	at += wanted;
	take(at, end, copied);
	to.bytes = std::min(copied, wanted);
	to.more = copied >= wanted;
	return true;
}

// The ids, the time and the CPU end each record.
std::uint64_t
time_of_record(const char *record, std::size_t size) noexcept
{
	std::uint64_t when = 0;
	if (size >= sizeof(perf_event_header) + perf_trailer)
		std::memcpy(&when, record + size - perf_trailer + 8, 8);
	return when;
}

} // namespace stack9::events
