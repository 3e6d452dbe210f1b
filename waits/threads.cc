// Finds the thread that a tid in another process's memory means.  The tid is
// one of that process's pid namespace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "threads.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/seam/thread.h"
#include "os/task_directory.h"
#include "os/proc_task.h"
#include "os/unique_dir.h"
#include "process/maps_line.h"

namespace stack9::waits {
namespace {

// The numbers of NSpid: the first is of the namespace of /proc, the last of
// the thread's own.
bool
read_ids(pid_t pid, pid_t tid, std::vector<std::uint32_t> &ids)
{
	char path[64], buffer[8192];
	proc_file f;
	std::string_view text;
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/status", pid, tid);
	if (f.open(AT_FDCWD, path) != 0 || f.read(buffer, text) != 0)
		return false;
	const std::size_t at = text.find("\nNSpid:");
	if (at == text.npos)
		return false;
	text = text.substr(at + 7);
	text = text.substr(0, text.find('\n'));
	ids.clear();
	while (!text.empty()) {
		const std::size_t digit = text.find_first_of("0123456789");
		if (digit == text.npos)
			break;
		text.remove_prefix(digit);
		std::uint32_t id = 0;
		const auto [end, error] = std::from_chars(text.data(),
		    text.data() + text.size(), id);
		text.remove_prefix(static_cast<std::size_t>(
		    end - text.data()));
		ids.push_back(id);
	}
	return !ids.empty();
}

using process::maps_line;

// Calls f for each shared mapping of a process until it returns true.
template <class F>
bool
each_shared(pid_t pid, F f)
{
	char path[48], *line = nullptr;
	std::size_t size = 0;
	ssize_t length;
	bool found = false;
	std::snprintf(path, sizeof path, "/proc/%d/maps", pid);
	FILE *const maps = std::fopen(path, "re");
	while (maps != nullptr && !found &&
	    (length = getline(&line, &size, maps)) > 0) {
		maps_line m;
		found = process::parse_maps_line({line,
		    static_cast<std::size_t>(length)}, m) && m.shared && f(m);
	}
	std::free(line);
	if (maps != nullptr)
		std::fclose(maps);
	return found;
}

// Returns true if process b has mapped what process a has at an address.
bool
share(pid_t a, std::uint64_t at, pid_t b)
{
	maps_line here;
	if (!each_shared(a, [&](const maps_line &m) {
		here = m;
		return m.start <= at && at < m.end;
	}))
		return false;
	const std::uint64_t offset = at - here.start + here.offset;
	return each_shared(b, [&](const maps_line &m) {
		return m.inode == here.inode && m.major == here.major &&
		    m.minor == here.minor && m.offset <= offset &&
		    offset - m.offset < m.end - m.start;
	});
}

} // namespace

bool
threads::is_in_our_namespace(pid_t pid)
{
	const auto [it, is_new] = ours_.try_emplace(pid, false);
	std::vector<std::uint32_t> ids;
	if (is_new)
		it->second = read_ids(pid, pid, ids) && ids.size() == 1;
	return it->second;
}

pid_t
threads::outer_tid(pid_t pid, std::uint32_t inner)
{
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/task", pid);
	const unique_dir tasks = open_dir(path);
	pid_t found = 0;
	if (tasks == nullptr)
		return 0;
	each_task(dirfd(tasks.get()), [&](pid_t tid) {
		std::vector<std::uint32_t> ids;
		if (read_ids(pid, tid, ids) && ids.back() == inner)
			found = tid;
		return found == 0;
	});
	return found;
}

bool
threads::find_alive(pid_t tid, stack9_thread &td)
{
	const auto seen = std::lower_bound(seen_.begin(), seen_.end(), tid,
	    [](const wait_facts &f, pid_t t) { return f.thread.tid < t; });
	if (seen != seen_.end() && seen->thread.tid == tid &&
	    is_living(*seen)) {
		td = seen->thread;
		return true;
	}
	const auto [it, is_new] = alive_.try_emplace(tid);
	thread_stat stat{};
	if (is_new && (find_thread(tid, it->second, stat) != 0 ||
	    stat.is_dead()))
		it->second = {};
	td = it->second;
	return td.start != 0;
}

bool
threads::is_alive(const stack9_thread &td)
{
	stack9_thread now{};
	return find_alive(td.tid, now) &&
	    (td.start == 0 || td.start == now.start);
}

bool
threads::find_living(pid_t pid, stack9_thread &td, int *count)
{
	const auto [it, is_new] = living_.try_emplace(pid);
	living &l = it->second;
	thread_stat stat{};
	if (is_new && find_thread(pid, l.thread, stat) == 0)
		l = {l.thread.pid == pid && !stat.is_dead(), l.thread,
		    stat.threads};
	if (!l.is)
		return false;
	td = l.thread;
	if (count != nullptr)
		*count = l.threads;
	return true;
}

pid_t
threads::number_in(pid_t viewer, pid_t pid)
{
	std::vector<std::uint32_t> theirs, its;
	if (is_in_our_namespace(viewer))
		return pid;
	return read_ids(viewer, viewer, theirs) && read_ids(pid, pid, its) &&
	    theirs.size() <= its.size() ?
	    static_cast<pid_t>(its[theirs.size() - 1]) : 0;
}

// The processes of other pid namespaces.
const std::vector<pid_t> &
threads::foreigners()
{
	if (has_foreigners_)
		return foreigners_;
	has_foreigners_ = true;
	if (const unique_dir proc = open_dir("/proc"))
		each_task(dirfd(proc.get()), [&](pid_t pid) {
			if (!is_in_our_namespace(pid))
				foreigners_.push_back(pid);
			return true;
		});
	return foreigners_;
}

// An owner writes its tid as its own pid namespace has it, so the same number
// may mean several threads.  Only one that has the memory is the owner.
threads::answer
threads::look_up(pid_t pid, std::uint32_t inner, bool shared, std::uint64_t at)
{
	answer a{nullptr, {}};
	int found = 0;
	const auto add = [&](pid_t tid) {
		stack9_thread td{};
		if (tid <= 0 || !find_alive(tid, td) || (td.pid != pid &&
		    (!shared || !share(pid, at, td.pid))))
			return;
		a.thread = td;
		found++;
	};
	stack9_thread td{};
	const auto number = static_cast<pid_t>(inner);
	if (find_alive(number, td) && is_in_our_namespace(td.pid))
		add(number);
	if (!is_in_our_namespace(pid))
		add(outer_tid(pid, inner));
	if (shared)
		for (const pid_t p : foreigners())
			if (p != pid && share(pid, at, p))
				add(outer_tid(p, inner));
	if (found > 1)
		a.why = "several threads have its owner's tid, each in a pid "
		    "namespace of its own";
	else if (found == 0)
		a.why = shared ? "its owner is dead, or has unmapped it" :
		    "its owner is dead";
	return a;
}

const char *
threads::find_kept(pid_t tid, stack9_thread &td) const
{
	std::int64_t number = -1;
	std::uint64_t args[6];
	if (!kept_->call_of(tid, number, args))
		return "its owner is not a thread of the core";
	td = kept_one_;
	td.tid = tid;
	return nullptr;
}

const char *
threads::find(pid_t pid, std::uint32_t inner, bool shared, std::uint64_t at,
    stack9_thread &td)
{
	if (kept_ != nullptr)
		return find_kept(static_cast<pid_t>(inner), td);
	const question q{pid, inner, shared, shared ? at : 0};
	auto it = known_.find(q);
	if (it == known_.end())
		it = known_.emplace(q, look_up(pid, inner, shared, at)).first;
	td = it->second.thread;
	return it->second.why;
}

bool
threads::find_here(pid_t pid, pid_t tid, stack9_thread &td)
{
	thread_stat stat{};
	return kept_ != nullptr ? find_kept(tid, td) == nullptr :
	    find_thread(tid, td, stat) == 0 && td.pid == pid;
}

} // namespace stack9::waits
