// Opens the address spaces of processes.  A process that has ended before that
// gets its names from the log.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "processes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>

#include "bpf/validate.h"
#include "core/seam/second_reading.h"
#include "os/task_directory.h"
#include "os/clocks.h"
#include "os/open_task.h"
#include "process/maps.h"
#include "process/space.h"

namespace stack9::events {
namespace {

// So many bytes of mappings are read as a watch begins: those of some hundred
// processes.  This takes 10 ms or so for each 100.
constexpr std::size_t most_learned = 64U << 20;
// The limit for a program that loads and unloads files without end.
constexpr std::size_t most_versions = 256, most_moments = 1 << 16;

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
processes::learn(pid_t pid, bool again)
{
	unique_fd task;
	byte_buffer text;
	std::uint64_t start = 0;
	if (open_task(pid, 0, task) != 0 || start_of(task.get(), start) != 0 ||
	    stack9::process::read_maps(task.get(), text) != 0)
		return 0;
	// As a watch begins, a record that follows puts the same line again.
	if (again)
		mapping_log::wait_for(pid);
	maps_.learn(pid, start, {reinterpret_cast<const char *>(text.data()),
	    text.size()}, again ? boot_ns() : 0);
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
	if (last_ != nullptr && space_equal()(key, last_key_))
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
		p->looked_ns = boot_ns();
		log_.read();
		p->error = p->thread.tid == 0 ? ESRCH :
		    open_space(p->thread, head.when_ns, first);
		if (first != nullptr) {
			add_version(*p, std::move(first));
			p->moments[maps_.code_ns(p->thread.pid,
			    head.when_ns)] = 0;
		}
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
	if (when_ns > p.looked_ns)
		look_at_files(p);
	p.is_written = is_written_at(p, when_ns);
	const std::uint64_t from = moment_of(p, when_ns);
	const auto known = p.moments.find(from);
	p.space = p.versions[known != p.moments.end() ? known->second :
	    find_version(p, from, when_ns)].space.get();
}

// Makes a version for the time from that moment on, in which the event is, or
// finds one that says the same.  Without either it uses the one before.
std::size_t
processes::find_version(seen_process &p, std::uint64_t code_ns,
    std::uint64_t when_ns)
{
	auto before = p.moments.upper_bound(code_ns);
	const std::size_t usual = before == p.moments.begin() ? 0 :
	    std::prev(before)->second;
	if (p.moments.size() >= most_moments || is_of_before(p, when_ns))
		return usual;
	unique_space made;
	const int error = open_space(p.thread, when_ns, made);
	const std::size_t at = error != 0 || made == nullptr ? usual :
	    add_version(p, std::move(made));
	p.moments[code_ns] = at;
	return at;
}

// A version of several is never renewed in its place: stacks of other times
// have it, too.
stack9_space *
processes::renewed(seen_process &p, std::uint64_t when_ns, bool by_log_only)
    noexcept
try {
	look_at_files(p);
	if (is_of_before(p, when_ns))
		return nullptr;
	if (p.versions.size() == 1 && p.moments.size() == 1 &&
	    !has_changed(p, when_ns)) {
		if (by_log_only)
			return nullptr;
		announce_second_reading(p.thread.pid, 0);
		if (space_renew(*p.space) != 0)
			return nullptr;
		mapping_log::wait_for(p.thread.pid);
		if (!has_changed(p, when_ns))
			return p.space;
		p.moments.clear();	// by now it is a version of later
		by_log_only = true;
	}
	unique_space made;
	if ((by_log_only ? !maps_.has_all(p.thread.pid, when_ns) ||
	    by_log(p.thread, when_ns, made) != 0 :
	    open_space(p.thread, when_ns, made) != 0) || made == nullptr)
		return nullptr;
	const std::size_t at = add_version(p, std::move(made));
	p.moments[moment_of(p, when_ns)] = at;
	return p.versions[at].space.get();
} catch (const std::bad_alloc &) {
	return nullptr;
}

std::size_t
processes::add_version(seen_process &p, unique_space made)
{
	for (std::size_t at = 0; at < p.versions.size(); at++)
		if (made->is_same_code(*p.versions[at].space))
			return at;
	if (p.versions.size() < most_versions)
		p.versions.push_back({std::move(made)});
	return p.versions.size() - 1;
}

bool
processes::has_changed(const seen_process &p, std::uint64_t when_ns)
{
	log_.read();
	return maps_.code_ns(p.thread.pid) > when_ns;
}

std::uint32_t
processes::number_of(const seen_process &p) noexcept
{
	for (std::size_t at = p.versions.size(); at > 0; at--)
		if (p.versions[at - 1].space.get() == p.space)
			return static_cast<std::uint32_t>(at);
	return 0;
}

// If the process has run another program since, its maps are that program's by
// now.  If it has mapped code since, they are younger than the event.
int
processes::open_space(const stack9_thread &td, std::uint64_t when_ns,
    unique_space &to)
{
	stack9_space *space = nullptr;
	const int error = space_open(td, space);
	to.reset(space);
	mapping_log::wait_for(td.pid);
	log_.read();
	if (maps_.is_lost(td.pid))
		learn(td.pid, true);
	if (error == ESRCH || maps_.changed_since(td.pid, when_ns))
		return by_log(td, when_ns, to);
	unique_space then;
	if (maps_.code_ns(td.pid) > when_ns && maps_.has_all(td.pid, when_ns) &&
	    by_log(td, when_ns, then) == 0)
		to = std::move(then);
	return error;
}

// A child that had run no other program had the memory of its parent.
int
processes::by_log(const stack9_thread &td, std::uint64_t when_ns,
    unique_space &to)
{
	stack9_space *space = nullptr;
	const std::string text = maps_.text_of(td.pid, td.start, when_ns);
	stack9_thread parent{};
	int error = ESRCH;
	if (!text.empty())
		error = space_of_text(td, text, space);
	else if (const pid_t pid = maps_.parent_of(td.pid); pid != 0 &&
	    stack9_thread_find(pid, &parent) == 0)
		error = space_open(parent, space);
	to.reset(space);
	return error;
}

} // namespace stack9::events
