// Opens and reads passes of the task iterator.  A link says which tasks a pass
// visits, a descriptor that is made from it is one pass, and each read(2) runs
// the program.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "iter.h"

#include <atomic>

#include <bpf/bpf.h>
#include <unistd.h>

#include "bpf/capture_lock.h"
#include "bpf/record.h"
#include "bpf/refusal.h"
#include "images.h"

namespace stack9::bpf {
namespace {

constinit object object_of_tasks(s9_image_tasks,
    "needs BPF task iterators and bpf_get_task_stack() (Linux 5.9)", true,
    sizeof(s9_wanted));

} // namespace

object &
tasks_object() noexcept
{
	return object_of_tasks;
}

int
open_link(object &o, pid_t tid, pid_t pid, unique_fd &link) noexcept
{
	bpf_iter_link_info info{};
	info.task.tid = static_cast<std::uint32_t>(tid);
	info.task.pid = static_cast<std::uint32_t>(pid);
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	// tid 0 and pid 0 in it would mean every thread too, but a kernel
	// before 6.1 does not know the option, so it is left out.
	if (tid != 0 || pid != 0) {
		opts.iter_info = &info;
		opts.iter_info_len = sizeof info;
	}
	for (int tries = 0; tries < 2; tries++) {
		const verdict v = o.load();
		if (v.error != 0)
			return v.error;
		const int program = o.program();
		const int fd = bpf_link_create(program, 0, BPF_TRACE_ITER,
		    &opts);
		if (fd >= 0) {
			link = unique_fd(fd);
			return 0;
		}
		// As in program.cc, the descriptor is closed, or another's by
		// now.
		if (fd != -EBADF && fd != -EINVAL)
			return failure(-fd);
		o.lost(program);
	}
	return EOPNOTSUPP;
}

int
open_pass(const unique_fd &link, unique_fd &pass) noexcept
{
	const int fd = bpf_iter_create(link.get());
	if (fd < 0)
		return failure(-fd);
	pass = unique_fd(fd);
	return 0;
}

int
task_pass::open(pid_t tid, pid_t pid) noexcept
{
	unique_fd link;
	int error = open_link(tasks_object(), tid, pid, link);
	if (error == 0)
		error = open_pass(link, pass_);
	if (error != 0)
		return error;
	wanted_ = static_cast<s9_wanted *>(tasks_object().memory());
	return wanted_ != nullptr ? 0 : EAGAIN;	// somebody closed it just now
}

int
task_pass::read(pid_t tid, pid_t pid, void *buffer, std::size_t size,
    std::size_t &n) noexcept
{
	const guard locked(capture_mutex());
	*wanted_ = {tid, pid, 0, 0, 0, 0};
	for (;;) {
		const ssize_t got = ::read(pass_.get(), buffer, size);
		if (got >= 0) {
			visited_ = wanted_->visited;
			n = static_cast<std::size_t>(got);
			return 0;
		}
		// EAGAIN: the kernel has passed a million tasks without a
		// record, and there are more.
		if (errno != EINTR && errno != EAGAIN)
			return failure(errno);
	}
}

namespace {

// A pass that is restricted to the caller visits the caller alone, and shows
// it.
int
ask_caller(shows &what) noexcept
{
	s9_record who;
	task_pass pass;
	std::size_t n = 0;
	int error = pass.open(gettid(), 0);
	if (error == 0)
		error = pass.read(gettid(), 0, &who, sizeof who, n);
	if (error != 0)
		return error;
	if (n < S9_RECORD_HEAD || who.tid != gettid() || who.pid != getpid())
		what = shows::nothing;
	else
		what = pass.visited() == 1 ? shows::wanted_threads :
		    shows::any_thread;
	return 0;
}

} // namespace

verdict
trust_passes(bool &honours_filter) noexcept
{
	static std::atomic<shows> known{shows::unknown};
	shows what = known.load(std::memory_order_relaxed);
	if (const verdict v = tasks_object().load(); v.error != 0)
		return v;
	if (what == shows::unknown) {
		if (const int error = ask_caller(what); error != 0)
			return explain(error, "a pass of its task iterator "
			    "fails");
		known.store(what);
	}
	honours_filter = what == shows::wanted_threads;
	if (what == shows::nothing)
		return {EOPNOTSUPP, shows_no_caller};
	return {0, nullptr};
}

} // namespace stack9::bpf
