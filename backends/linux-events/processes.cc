// Opens the address spaces of processes.  A process that has ended before that
// gets its names from the log.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "processes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "bpf/validate.h"
#include "core/seam/thread.h"
#include "os/linux/open_task.h"
#include "process/maps.h"

namespace stack9::events {
namespace {

// So many bytes of mappings are read as a watch begins: those of some hundred
// processes, which takes 10 ms or so for each 100.
constexpr std::size_t most_learned = 64U << 20;

} // namespace

stack9_thread
thread_of(const s9_event_head &h) noexcept
{
	s9_record seen{};
	seen.tid = h.tid;
	seen.start_ns = h.start_ns;
	return {h.tid, h.pid, bpf::start_ticks(seen)};
}

// The event's thread may have ended while its process goes on.
static stack9_thread
leader_of(const s9_space &key, pid_t pid) noexcept
{
	s9_record seen{};
	seen.tid = pid;
	seen.start_ns = key.start_ns;
	return {pid, pid, bpf::start_ticks(seen)};
}

// Returns the size of the text.
std::size_t
processes::learn(pid_t pid)
{
	unique_fd task;
	byte_buffer text;
	std::uint64_t start = 0;
	if (open_task(pid, 0, task) != 0 || start_of(task.get(), start) != 0 ||
	    stack9::process::read_maps(task.get(), text) != 0)
		return 0;
	log_.learn(pid, start, {reinterpret_cast<const char *>(text.data()),
	    text.size()});
	return text.size();
}

void
processes::begin(const watch_filter &f)
{
	stack9_thread one{f.pid, f.pid, 0};
	log_.open();
	if (f.pid != 0 || (f.tid != 0 &&
	    stack9_thread_find(f.tid, &one) == 0)) {
		stack9_space *space = nullptr;
		learn(one.pid);
		if (stack9_thread_find(one.pid, &one) == 0 &&
		    space_open(one, space) == 0)
			early_.reset(space);
		return;
	}
	const unique_fd proc(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	std::size_t left = most_learned;
	if (f.tid == 0 && proc)
		each_task(proc.get(), [&](pid_t pid) {
			left -= std::min(left, learn(pid));
			return left != 0;
		});
}

seen_process *
processes::find(const s9_space &key) noexcept
{
	if (last_ != nullptr && equal()(key, last_key_))
		return last_;
	const auto found = all_.find(key);
	if (found == all_.end())
		return nullptr;
	last_key_ = key;
	last_ = &found->second;
	return last_;
}

seen_process &
processes::find_or_add(const s9_space &key, const s9_event_head &head)
{
	if (seen_process *const known = find(key))
		return *known;
	seen_process &fresh = all_[key];
	fresh.thread = leader_of(key, head.pid);
	std::memcpy(fresh.comm, head.comm, sizeof head.comm);
	fresh.error = fresh.thread.tid == 0 ? ESRCH :
	    open_space(fresh, head.when_ns);
	return fresh;
}

// If the process has run another program since, its maps are that program's by
// now.
int
processes::open_space(seen_process &p, std::uint64_t when_ns)
{
	stack9_space *space = nullptr;
	const int error = space_open(p.thread, space);
	p.space.reset(space);
	log_.read();
	return error == ESRCH || log_.changed_since(p.thread.pid, when_ns) ?
	    by_log(p, when_ns) : error;
}

// A child that had run no other program had the memory of its parent.
int
processes::by_log(seen_process &p, std::uint64_t when_ns)
{
	stack9_space *space = nullptr;
	const std::string text = log_.text_of(p.thread.pid, p.thread.start,
	    when_ns);
	stack9_thread parent{};
	int error = ESRCH;
	if (!text.empty())
		error = space_of_text(p.thread, text, space);
	else if (const pid_t pid = log_.parent_of(p.thread.pid); pid != 0 &&
	    stack9_thread_find(pid, &parent) == 0)
		error = space_open(parent, space);
	p.space.reset(space);
	return error;
}

} // namespace stack9::events
