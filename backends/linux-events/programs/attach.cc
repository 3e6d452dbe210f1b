// Attaches programs as the table of probes says, and says why the kernel
// refused one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "attach.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>

#include <bpf/bpf.h>
#include <unistd.h>

#include "bpf/raw_tracepoint.h"

#include "backends/linux-events/probes/kernel_functions.h"

namespace stack9::events {
namespace {

// The sentence for an errno of an attachment.
std::string
sentence(const probe &p, int error)
{
	if (p.kind == probe_kind::kernel)
		if (std::string why = why_no_kernel_functions(p.name);
		    !why.empty())
			return why;
	std::string text = p.label + ": " + std::strerror(error);
	if (p.kind == probe_kind::trigger && error == EPERM)
		text += " (the directory has to be of a file system bpf: "
		    "mount -t bpf)";
	else if (p.kind == probe_kind::tracepoint && error == ENOENT)
		text = p.label + ": the kernel has no such tracepoint";
	else if (p.kind == probe_kind::kernel && error == EINVAL)
		text += " (a function that must not be probed, or that is "
		    "inlined)";
	else if (p.kind == probe_kind::user && error == EOPNOTSUPP)
		text += " (an instruction that cannot be probed; try another "
		    "offset)";
	return text;
}

// EOPNOTSUPP if the kernel lacks what the probe needs; other errnos mean that
// the kernel does not have what the probe names.
int
meaning(const probe &p, int error) noexcept
{
	if (error == EACCES)
		return EPERM;
	if (p.kind == probe_kind::kernel && (error == ENOENT ||
	    error == ENODEV || error == EINVAL || error == ENOTSUP) &&
	    !why_no_kernel_functions(p.name).empty())
		return EOPNOTSUPP;
	return error == ENODEV || error == ENOSYS ? EOPNOTSUPP : error;
}

} // namespace

// By enum way.
const attachments::attach_fn attachments::ways[] = {
	&attachments::raw_tracepoint, &attachments::call_event,
	&attachments::kprobe, &attachments::fentry, &attachments::uprobe,
	&attachments::every_cpu, &attachments::lent,
};

void
attachments::keep(unique_fd fd)
{
	fd.step_aside();
	fds_.push_back(std::move(fd));
}

// Points that share a tracepoint have no cookie: one program serves all of
// them.
int
attachments::raw_tracepoint(const target &t)
{
	const char *const shared = program_row_of(t.at).shared;
	const char *const name = shared != nullptr ? shared :
	    t.at.name.c_str();
	unique_fd fd = bpf::open_raw_tracepoint(name, t.program,
	    shared != nullptr ? 0 : t.index);
	if (!fd)
		return errno;
	keep(std::move(fd));
	return 0;
}

int
attachments::attach_waking(programs &from)
{
	unique_fd fd = bpf::open_raw_tracepoint("sched_waking",
	    from.program(program_id::at_waking), 0);
	if (!fd)
		return errno;
	keep(std::move(fd));
	return 0;
}

int
attachments::fentry(const target &t)
{
	const int fd = bpf_raw_tracepoint_open(nullptr, t.program);
	if (fd < 0)
		return errno;
	keep(unique_fd(fd));
	return 0;
}

// Gives the programs on sys_enter and sys_exit the calls that are asked for.
int
attachments::set_syscalls(programs &from, const std::vector<probe> &probes)
{
	const int map = from.map(map_id::syscalls);
	for (std::uint32_t i = 0; i < probes.size(); i++) {
		const std::uint32_t value = i + 1;
		if (probes[i].kind == probe_kind::syscall &&
		    bpf_map_update_elem(map, &probes[i].number, &value,
		    0) != 0)
			return errno;
	}
	return 0;
}

int
attachments::attach(programs &from, const settings &s,
    const std::vector<probe> &probes, manner m, std::string &why)
{
	static_assert(std::size(ways) == static_cast<std::size_t>(way::last) +
	    1, "a way has no function");
	int error = m == manner::alone ? 0 : set_syscalls(from, probes);
	if (error != 0)
		why = "system calls: " + std::string(std::strerror(error));
	// Programs that are attached and that probes share; [1]: at returns.
	program_set shared[2];
	for (std::uint32_t i = 0; i < probes.size() && error == 0; i++) {
		const probe &p = probes[i];
		const program_row &row = program_row_of(p);
		const program_id id = program_of(p, m);
		if (shared[p.returns][index_of(id)])
			continue;
		const way how = way_of(p, m);
		error = (this->*ways[static_cast<std::size_t>(how)])({from, s,
		    p, from.program(id), i});
		if (error != 0) {
			why = sentence(p, error);
			error = meaning(p, error);
		} else if (row.shared != nullptr)
			shared[p.returns].set(index_of(id));
	}
	if (error != 0)
		detach();
	return error;
}

} // namespace stack9::events
