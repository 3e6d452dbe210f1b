// Attaches programs to tracepoints and to the clock.  A program's cookie says
// which watch it serves.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "events.h"

#include <charconv>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/raw_tracepoint.h"
#include "bpf/tracefs.h"

namespace stack9::bpf {
namespace {

constexpr std::string_view tracepoint = "rawtracepoint:",
    profile = "profile:hz:";

// A kernel side alone needs no program that walks.
int
program_for(const submitter &w, event_walks::kind k) noexcept
{
	const async_table &t = w.state->table;
	if (t.control().watches[w.number].sides & STACK9_USER)
		return w.state->walks.program(k, t);
	return k == event_walks::at_sample ? t.sample_program() :
	    t.tracepoint_program();
}

int
attach_tracepoint(submitter &w, std::string_view name) noexcept
{
	char text[128];
	if (name.empty() || name.size() >= sizeof text)
		return EINVAL;
	std::memcpy(text, name.data(), name.size());
	text[name.size()] = '\0';
	unique_fd fd = open_raw_tracepoint(text,
	    program_for(w, event_walks::at_tracepoint), w.cookie);
	if (!fd)
		return errno;
	w.fds.push_back(std::move(fd));
	return 0;
}

// 0, or an errno.  ENODEV: there is no such CPU, or it is offline.
int
attach_clock(submitter &w, int program, int cpu, std::uint64_t hz) noexcept
{
	perf_event_attr attr{};
	attr.size = sizeof attr;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.freq = 1;
	attr.sample_freq = hz;
	unique_fd event(static_cast<int>(syscall(SYS_perf_event_open, &attr,
	    -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
	if (!event)
		return errno;
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	opts.perf_event.bpf_cookie = w.cookie;
	unique_fd link(bpf_link_create(program, event.get(), BPF_PERF_EVENT,
	    &opts));
	if (!link)
		return errno;
	w.fds.push_back(std::move(link));
	w.fds.push_back(std::move(event));
	return 0;
}

int
attach_profile(submitter &w, std::string_view text) noexcept
{
	std::uint64_t hz = 0;
	const char *const end = text.data() + text.size();
	const auto [at, failed] = std::from_chars(text.data(), end, hz);
	if (failed != std::errc() || at != end || hz == 0 || hz > 100'000)
		return EINVAL;
	const int program = program_for(w, event_walks::at_sample);
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	for (int cpu = 0; cpu < cpus; cpu++)
		if (const int error = attach_clock(w, program, cpu, hz);
		    error != 0 && error != ENODEV)
			return error;
	return w.fds.empty() ? EOPNOTSUPP : 0;
}

int
attach(submitter &w, std::string_view name) noexcept
{
	if (name.starts_with(tracepoint))
		return attach_tracepoint(w, name.substr(tracepoint.size()));
	if (name.starts_with(profile))
		return attach_profile(w, name.substr(profile.size()));
	return EINVAL;
}

// The kernel finds a raw tracepoint by its name alone.
bool
is_of_another_category(const async_event &e) noexcept
{
	const std::string_view name = e.name;
	if (e.category == nullptr || !name.starts_with(tracepoint))
		return false;
	try {
		return is_tracepoint_of(e.category, std::string(
		    name.substr(tracepoint.size()))) == answer::no;
	} catch (const std::bad_alloc &) {
		return false;
	}
}

// Reserves two elements for each CPU, so that attaching allocates nothing.
bool
reserve_fds(submitter &w) noexcept
{
	try {
		w.fds.reserve(2 * static_cast<std::size_t>(
		    sysconf(_SC_NPROCESSORS_CONF)));
		return true;
	} catch (const std::bad_alloc &) {
		return false;
	}
}

// Gives the watch an element of the programs' list.
int
take_number(submitter &w, const async_event &e) noexcept
{
	const std::lock_guard alone(w.state->mutex);
	s9_control &c = w.state->table.control();
	for (std::uint32_t i = 0; i < S9_WATCHES; i++)
		if (c.watches[i].sides == 0) {
			// A program of a former turn may still be running, or
			// a child may still hold it.
			const __u32 turn = c.watches[i].turn + 1;
			c.watches[i] = {e.pid, e.tid,
			    static_cast<__u32>(e.side), turn, e.cookie};
			w.number = i;
			w.cookie = S9_WATCH_COOKIE(i, std::uint64_t{turn});
			return 0;
		}
	return ENOBUFS;
}

} // namespace

int
open_watch(async_state &st, const async_event &event, submitter *&watch,
    const char *&why) noexcept
{
	if (is_of_another_category(event)) {
		why = "the tracepoint of that name is of another category";
		return ENOENT;
	}
	std::unique_ptr<submitter> w(
	    new (std::nothrow) submitter);
	if (w == nullptr || !reserve_fds(*w))
		return ENOMEM;
	w->state = &st;
	if (const int error = take_number(*w, event); error != 0)
		return error;
	if (const int error = attach(*w, event.name); error != 0) {
		close_watch(*w.release());
		return error == EACCES ? EPERM : error;
	}
	watch = w.release();
	return 0;
}

// Detaches the programs first, then frees their element.
void
close_watch(submitter &watch) noexcept
{
	if (current_state() == watch.state) {
		watch.fds.clear();
		const std::lock_guard alone(watch.state->mutex);
		watch.state->table.control().watches[watch.number].sides = 0;
	}
	// Descriptors of a former state are not closed: their numbers may
	// belong to others by now.
	for (unique_fd &fd : watch.fds)
		fd.release();
	delete &watch;
}

} // namespace stack9::bpf
