// Reads /proc once a thread, and follows what the kernel says afterwards.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sampled_threads.h"

#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "os/task_directory.h"

namespace stack9::events {
namespace {

constexpr std::size_t most_sampled = 1 << 16;

// The middle of a tick: both ends of it would do.
std::uint64_t
ns_of_ticks(std::uint64_t ticks) noexcept
{
	constexpr std::uint64_t second = 1'000'000'000;
	const auto hz = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
	return ticks * (second / hz) + second / hz / 2;
}

} // namespace

const sampled_threads::facts &
sampled_threads::facts_of(pid_t pid, pid_t tid)
{
	if (all_.size() > most_sampled)
		all_.clear();
	const auto [at, is_new] = all_.try_emplace(tid);
	if (!is_new)
		return at->second;
	char path[64];
	thread_stat stat{};
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
	if (read_stat(AT_FDCWD, path, stat) == 0) {
		at->second.start_ns = ns_of_ticks(stat.start);
		copy_name(at->second.comm, stat.comm);
	}
	return at->second;
}

void
sampled_threads::introduce(pid_t pid, pid_t tid, s9_event_head &head,
    s9_space &space)
{
	const facts own = facts_of(pid, tid);
	head.pid = pid;
	head.tid = head.host_tid = tid;
	head.start_ns = own.start_ns;
	std::memcpy(head.comm, own.comm, sizeof head.comm);
	space.pid = static_cast<__u32>(pid);
	space.execs = execs_[pid];
	space.start_ns = facts_of(pid, pid).start_ns;
}

// A thread's facts are read again when its name has changed, and when another
// thread has its id.
void
sampled_threads::note(const char *record, std::size_t size)
{
	perf_event_header h;
	// A COMM has pid and tid; the others pid, parent and tid.
	std::uint32_t ids[4] = {};
	std::memcpy(&h, record, sizeof h);
	if (size < sizeof h + sizeof ids)
		return;
	std::memcpy(ids, record + sizeof h, sizeof ids);
	const bool is_name = h.type == PERF_RECORD_COMM;
	if (is_name && (h.misc & PERF_RECORD_MISC_COMM_EXEC))
		execs_[static_cast<pid_t>(ids[0])]++;
	if (is_name || h.type == PERF_RECORD_FORK)
		all_.erase(static_cast<pid_t>(ids[is_name ? 1 : 2]));
}

} // namespace stack9::events
