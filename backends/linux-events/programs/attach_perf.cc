// Attaches programs to perf events: probes, samples, and the tracepoint of one
// system call.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attach.h"

namespace stack9::events {
namespace {

// The type that the kernel gives to perf events for probes; -1: it has none.
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

} // namespace

// The program is attached by a link that has the cookie; before 5.15 by the
// event itself.  Then the program goes with the event.
int
attachments::perf_event(const target &t, perf_event_attr &attr, pid_t pid,
    int cpu)
{
	attr.size = sizeof attr;
	unique_fd event(static_cast<int>(syscall(SYS_perf_event_open,
	    &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
	if (!event)
		return errno;
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	opts.perf_event.bpf_cookie = t.index;
	unique_fd link(bpf_link_create(t.program, event.get(),
	    BPF_PERF_EVENT, &opts));
	if (link)
		keep(std::move(link));
	else if (ioctl(event.get(), PERF_EVENT_IOC_SET_BPF, t.program) != 0)
		return errno;
	if (ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0) != 0)
		return errno;
	keep(std::move(event));
	return 0;
}

// The event fires on any CPU, although one has to be named.
int
attachments::call_event(const target &t)
{
	perf_event_attr attr{};
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = t.at.config;
	return perf_event(t, attr, -1, 0);
}

int
attachments::kprobe(const target &t)
{
	perf_event_attr attr{};
	const int type = probe_type("kprobe");
	if (type < 0)
		return EOPNOTSUPP;
	attr.type = static_cast<std::uint32_t>(type);
	attr.config1 = reinterpret_cast<std::uintptr_t>(t.at.name.c_str());
	attr.config2 = t.at.offset;
	return perf_event(t, attr, -1, 0);
}

// A probe in one process, or in all processes: then it fires on any CPU,
// although one has to be named.
int
attachments::uprobe(const target &t)
{
	perf_event_attr attr{};
	const int type = probe_type("uprobe");
	if (type < 0)
		return EOPNOTSUPP;
	attr.type = static_cast<std::uint32_t>(type);
	attr.config = t.at.semaphore << 32;	// see format/ref_ctr_offset
	attr.config1 = reinterpret_cast<std::uintptr_t>(t.at.path.c_str());
	attr.config2 = t.at.offset;
	const pid_t pid = t.set.config.pid != 0 ? t.set.config.pid : -1;
	return perf_event(t, attr, pid, pid > 0 ? -1 : 0);
}

// ENODEV of one CPU: it does not exist, or it is off.
int
attachments::every_cpu(const target &t)
{
	bool any = false;
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	for (int cpu = 0; cpu < cpus; cpu++) {
		if (t.set.config.cpu >= 0 && cpu != t.set.config.cpu)
			continue;
		perf_event_attr attr{};
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = t.at.config;
		attr.freq = t.at.frequency;
		attr.sample_period = t.at.period;
		const int error = perf_event(t, attr, -1, cpu);
		if (error != 0 && error != ENODEV)
			return error;
		any |= error == 0;
	}
	return any ? 0 : ENODEV;
}

} // namespace stack9::events
