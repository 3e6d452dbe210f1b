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
#include "os/task_directory.h"
#include "os/clocks.h"
#include "os/open_task.h"
#include "process/maps.h"
#include "process/space.h"

namespace stack9::events {
namespace {

// So many bytes of mappings are read as a watch begins: those of some hundred
// processes, which takes 10 ms or so for each 100.
constexpr std::size_t most_learned = 64U << 20;
// The limit for a program that loads and unloads files without end.
constexpr std::size_t most_versions = 256;

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
	seen_process *p = find(key);
	if (p == nullptr) {
		p = &all_[key];
		p->thread = leader_of(key, head.pid);
		std::memcpy(p->comm, head.comm, sizeof head.comm);
		unique_space first;
		// Code that is mapped while the maps are read makes a version.
		log_.read();
		const std::uint64_t code_ns = log_.code_ns(p->thread.pid);
		p->error = p->thread.tid == 0 ? ESRCH :
		    open_space(p->thread, head.when_ns, first);
		if (first != nullptr)
			p->versions.push_back({code_ns, std::move(first)});
	}
	choose_space(*p, head.when_ns);
	return *p;
}

// Code that is mapped in the place of other code makes a version of the
// mappings.  Stacks of before keep theirs.
void
processes::choose_space(seen_process &p, std::uint64_t when_ns)
{
	if (p.versions.empty())
		return;
	if (when_ns > read_ns_) {
		read_ns_ = boot_ns();
		log_.read();
	}
	const std::uint64_t code_ns = log_.code_ns(p.thread.pid);
	if (code_ns > p.versions.back().code_ns && code_ns <= when_ns &&
	    p.versions.size() < most_versions)
		add_version(p, code_ns);
	std::size_t at = p.versions.size() - 1;
	while (at > 0 && p.versions[at].code_ns > when_ns)
		at--;
	p.space = p.versions[at].space.get();
}

bool
processes::has_changed(const seen_process &p, std::uint64_t when_ns)
{
	log_.read();
	return log_.code_ns(p.thread.pid) > when_ns;
}

std::uint32_t
processes::number_of(const seen_process &p) noexcept
{
	for (std::size_t at = p.versions.size(); at > 0; at--)
		if (p.versions[at - 1].space.get() == p.space)
			return static_cast<std::uint32_t>(at);
	return 0;
}

// If the process has ended, what was mapped last is all that is known.
void
processes::add_version(seen_process &p, std::uint64_t code_ns)
{
	stack9_space *opened = nullptr;
	const int error = space_open(p.thread, opened);
	unique_space made(opened);
	if (error != 0 || made->is_same_code(*p.versions.back().space))
		p.versions.back().code_ns = code_ns;
	else
		p.versions.push_back({code_ns, std::move(made)});
}

// If the process has run another program since, its maps are that program's by
// now.
int
processes::open_space(const stack9_thread &td, std::uint64_t when_ns,
    unique_space &to)
{
	stack9_space *space = nullptr;
	const int error = space_open(td, space);
	to.reset(space);
	log_.read();
	return error == ESRCH || log_.changed_since(td.pid, when_ns) ?
	    by_log(td, when_ns, to) : error;
}

// A child that had run no other program had the memory of its parent.
int
processes::by_log(const stack9_thread &td, std::uint64_t when_ns,
    unique_space &to)
{
	stack9_space *space = nullptr;
	const std::string text = log_.text_of(td.pid, td.start, when_ns);
	stack9_thread parent{};
	int error = ESRCH;
	if (!text.empty())
		error = space_of_text(td, text, space);
	else if (const pid_t pid = log_.parent_of(td.pid); pid != 0 &&
	    stack9_thread_find(pid, &parent) == 0)
		error = space_open(parent, space);
	to.reset(space);
	return error;
}

} // namespace stack9::events
