// Each kind of point has its way, by a descriptor that ends it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "attach.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/tracepoint_attr.h"

namespace stack9::events {
namespace {

// That of a perf event for probes, as the kernel numbers it; -1: it has none.
int
probe_type(const char *name) noexcept
{
	char path[64];
	int type = -1;
	std::snprintf(path, sizeof path,
	    "/sys/bus/event_source/devices/%s/type", name);
	if (FILE *f = std::fopen(path, "re")) {
		if (std::fscanf(f, "%d", &type) != 1)
			type = -1;
		std::fclose(f);
	}
	return type;
}

const char *
program_for(const point &p) noexcept
{
	switch (p.kind) {
	case point_kind::tracepoint:
		return "at_tracepoint";
	case point_kind::syscall:
		return p.config != 0 ? "at_call" : p.returns ? "at_exit" :
		    "at_enter";
	case point_kind::kernel:
		return "at_function";
	case point_kind::user:
	case point_kind::usdt:
		return "at_user";
	case point_kind::software:
		return "at_sample";
	case point_kind::off_cpu:
		break;
	}
	return "at_switch";
}

// What an errno of an attachment says.
std::string
sentence(const point &p, int error)
{
	if (p.kind == point_kind::kernel)
		if (std::string why = why_no_kernel_functions(p.name);
		    !why.empty())
			return why;
	std::string text = p.label + ": " + std::strerror(error);
	if (p.kind == point_kind::tracepoint && error == ENOENT)
		text = p.label + ": the kernel has no such tracepoint";
	else if (p.kind == point_kind::kernel && error == EINVAL)
		text += " (a function that must not be probed, or that is "
		    "inlined)";
	else if (p.kind == point_kind::user && error == EOPNOTSUPP)
		text += " (an instruction that cannot be probed; try another "
		    "offset)";
	return text;
}

// A kernel lacks what the point needs, or has not what it names.
int
meaning(const point &p, int error) noexcept
{
	if (error == EACCES)
		return EPERM;
	if (p.kind == point_kind::kernel && (error == ENOENT ||
	    error == ENODEV || error == EINVAL || error == ENOTSUP) &&
	    !why_no_kernel_functions(p.name).empty())
		return EOPNOTSUPP;
	return error == ENODEV || error == ENOSYS ? EOPNOTSUPP : error;
}

} // namespace

// A function alone gets a program of its own, which is entered by a jump where
// a probe's is by a trap.
std::vector<const char *>
programs_for(const std::vector<point> &points, std::string &function)
{
	std::vector<const char *> names;
	for (const point &p : points) {
		const char *const name = program_for(p);
		if (std::find(names.begin(), names.end(), name) == names.end())
			names.push_back(name);
	}
	if (points.size() == 1 && points[0].kind == point_kind::kernel &&
	    points[0].offset == 0)
		function = points[0].name;
	return names;
}

void
attachments::keep(unique_fd fd)
{
	fd.step_aside();
	fds_.push_back(std::move(fd));
}

int
attachments::tracepoint(programs &from, const char *program,
    const std::string &name, std::uint64_t cookie)
{
	bpf::tracepoint_attr attr{
	    reinterpret_cast<std::uintptr_t>(name.c_str()),
	    static_cast<std::uint32_t>(from.program(program)), 0, cookie};
	// Without the cookie, as kernels before 6.10 want it, where it is 0.
	const std::size_t size = cookie != 0 ? sizeof attr :
	    offsetof(bpf::tracepoint_attr, unused);
	const long fd = syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, size);
	if (fd < 0)
		return errno;
	keep(unique_fd(static_cast<int>(fd)));
	return 0;
}

int
attachments::syscalls(programs &from, const std::vector<point> &points)
{
	const int map = from.map("syscalls");
	bool enter = false, leave = false;
	for (std::uint32_t i = 0; i < points.size(); i++) {
		const point &p = points[i];
		if (p.kind != point_kind::syscall || p.config != 0)
			continue;
		const std::uint32_t value = i + 1;
		if (bpf_map_update_elem(map, &p.number, &value, 0) != 0)
			return errno;
		(p.returns ? leave : enter) = true;
	}
	int error = 0;
	if (enter)
		error = tracepoint(from, "at_enter", "sys_enter", 0);
	if (leave && error == 0)
		error = tracepoint(from, "at_exit", "sys_exit", 0);
	return error;
}

// A program on a perf event: by a link, which has the cookie; before 5.15 by
// the event itself.  The program goes with the event.
int
attachments::perf_event(int program, perf_event_attr &attr, pid_t pid, int cpu,
    std::uint64_t cookie)
{
	attr.size = sizeof attr;
	unique_fd event(static_cast<int>(syscall(SYS_perf_event_open,
	    &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
	if (!event)
		return errno;
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	opts.perf_event.bpf_cookie = cookie;
	unique_fd link(bpf_link_create(program, event.get(),
	    BPF_PERF_EVENT, &opts));
	if (link)
		keep(std::move(link));
	else if (ioctl(event.get(), PERF_EVENT_IOC_SET_BPF, program) != 0)
		return errno;
	if (ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0) != 0)
		return errno;
	keep(std::move(event));
	return 0;
}

// On any CPU, whichever is named.
int
attachments::call(programs &from, const point &p, std::uint32_t index)
{
	perf_event_attr attr{};
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = p.config;
	return perf_event(from.program("at_call"), attr, -1, 0, index);
}

int
attachments::function(programs &from, const point &p, std::uint32_t index)
{
	if (const int own = from.program("at_fentry"); own >= 0) {
		const int fd = bpf_raw_tracepoint_open(nullptr, own);
		if (fd < 0)
			return errno;
		keep(unique_fd(fd));
		return 0;
	}
	perf_event_attr attr{};
	const int type = probe_type("kprobe");
	if (type < 0)
		return EOPNOTSUPP;
	attr.type = static_cast<std::uint32_t>(type);
	attr.config1 = reinterpret_cast<std::uintptr_t>(p.name.c_str());
	attr.config2 = p.offset;
	return perf_event(from.program("at_function"), attr, -1, 0, index);
}

// Of one process, or of all: then on any CPU, whichever is named.
int
attachments::user(programs &from, const settings &s, const point &p,
    std::uint32_t index)
{
	perf_event_attr attr{};
	const int type = probe_type("uprobe");
	if (type < 0)
		return EOPNOTSUPP;
	attr.type = static_cast<std::uint32_t>(type);
	attr.config = p.semaphore << 32;	// see its format/ref_ctr_offset
	attr.config1 = reinterpret_cast<std::uintptr_t>(p.path.c_str());
	attr.config2 = p.offset;
	const pid_t pid = s.config.pid != 0 ? s.config.pid : -1;
	return perf_event(from.program("at_user"), attr, pid, pid > 0 ? -1 : 0,
	    index);
}

// On each CPU; ENODEV: there is no such CPU, or it is off.
int
attachments::software(programs &from, const settings &s, const point &p,
    std::uint32_t index)
{
	bool any = false;
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	for (int cpu = 0; cpu < cpus; cpu++) {
		if (s.config.cpu >= 0 && cpu != s.config.cpu)
			continue;
		perf_event_attr attr{};
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = p.config;
		attr.freq = p.frequency;
		attr.sample_period = p.period;
		const int error = perf_event(from.program("at_sample"), attr,
		    -1, cpu, index);
		if (error != 0 && error != ENODEV)
			return error;
		any |= error == 0;
	}
	return any ? 0 : ENODEV;
}

int
attachments::one(programs &from, const settings &s, const point &p,
    std::uint32_t index, std::string &why)
{
	int error = 0;
	switch (p.kind) {
	case point_kind::tracepoint:
		error = tracepoint(from, "at_tracepoint", p.name, index);
		break;
	case point_kind::syscall:	// else all of them together
		if (p.config != 0)
			error = call(from, p, index);
		break;
	case point_kind::kernel:
		error = function(from, p, index);
		break;
	case point_kind::user:
	case point_kind::usdt:
		error = user(from, s, p, index);
		break;
	case point_kind::software:
		error = software(from, s, p, index);
		break;
	case point_kind::off_cpu:
		error = tracepoint(from, "at_switch", "sched_switch", 0);
		break;
	}
	if (error == 0)
		return 0;
	why = sentence(p, error);
	return meaning(p, error);
}

int
attachments::attach(programs &from, const settings &s,
    const std::vector<point> &points, std::string &why)
{
	int error = syscalls(from, points);
	if (error != 0)
		why = "system calls: " + std::string(std::strerror(error));
	for (std::uint32_t i = 0; i < points.size() && error == 0; i++)
		error = one(from, s, points[i], i, why);
	if (error != 0)
		let_go();
	return error;
}

} // namespace stack9::events
