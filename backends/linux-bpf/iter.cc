// Passes of the task iterator: a link says what to pass over, a descriptor
// made from it is one pass, and each read(2) runs the program.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "iter.h"

#include <atomic>
#include <memory>
#include <new>

#include <bpf/bpf.h>
#include <unistd.h>

#include "capture_lock.h"
#include "record.h"

namespace stack9::bpf {
namespace {

constinit object object_of_tasks(S9_OBJECT_TASKS,
    "needs BPF task iterators and bpf_get_task_stack() (Linux 5.9)", true,
    sizeof(s9_wanted));

s9_wanted &
wanted() noexcept
{
	return *static_cast<s9_wanted *>(tasks_object().memory());
}

int
make_link(pid_t tid, pid_t pid, unique_fd &link) noexcept
{
	bpf_iter_link_info info{};
	info.task.tid = static_cast<std::uint32_t>(tid);
	info.task.pid = static_cast<std::uint32_t>(pid);
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	// tid 0 and pid 0 in it would mean every thread all the same, but a
	// kernel before 6.1 need not be asked what it does not know.
	if (tid != 0 || pid != 0) {
		opts.iter_info = &info;
		opts.iter_info_len = sizeof info;
	}
	for (int tries = 0; tries < 2; tries++) {
		const verdict v = tasks_object().load();
		if (v.error != 0)
			return v.error;
		const int fd = bpf_link_create(tasks_object().program(), 0,
		    BPF_TRACE_ITER, &opts);
		if (fd >= 0) {
			link = unique_fd(fd);
			return 0;
		}
		// As in program.cc: closed, or something else's by now.
		if (fd != -EBADF && fd != -EINVAL)
			return -fd;
		tasks_object().lost();
	}
	return EOPNOTSUPP;
}

} // namespace

object &
tasks_object() noexcept
{
	return object_of_tasks;
}

int
task_pass::open(pid_t tid, pid_t pid) noexcept
{
	unique_fd link;
	if (const int error = make_link(tid, pid, link); error != 0)
		return error;
	const int fd = bpf_iter_create(link.get());
	if (fd < 0)
		return -fd;
	pass_ = unique_fd(fd);
	return 0;
}

int
task_pass::read(pid_t tid, pid_t pid, void *buffer, std::size_t size,
    std::size_t &n) noexcept
{
	const guard locked(capture_mutex());
	wanted() = {tid, pid, 0, 0, 0, 0};
	for (;;) {
		const ssize_t got = ::read(pass_.get(), buffer, size);
		if (got >= 0) {
			visited_ = wanted().visited;
			n = static_cast<std::size_t>(got);
			return 0;
		}
		// EAGAIN: a million tasks without a record; there are more.
		if (errno != EINTR && errno != EAGAIN)
			return errno;
	}
}

bool
honours_filter() noexcept
{
	enum { unknown, honours, ignores };
	static std::atomic<int> known{unknown};
	if (known.load(std::memory_order_relaxed) != unknown)
		return known.load(std::memory_order_relaxed) == honours;
	const std::unique_ptr<char[]> buffer(
	    new (std::nothrow) char[pass_buffer]);
	task_pass pass;
	std::size_t n = 0;
	if (buffer == nullptr || pass.open(gettid(), 0) != 0)
		return false;	// not known yet: asked again next time
	// -1: no task is wanted, all are counted.
	if (pass.read(-1, -1, buffer.get(), pass_buffer, n) != 0)
		return false;
	known.store(pass.visited() <= 1 ? honours : ignores);
	return pass.visited() <= 1;
}

} // namespace stack9::bpf
