// Finds for which descriptors a thread waits in poll(2), select(2) or
// epoll_wait(2), and who has their other ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include "os/proc_task.h"
#include "peers.h"
#include "context.h"

namespace stack9::waits {
namespace {

struct polled {
	int	fd;
	bool	reads, writes;
};

// The first ones of a longer list are read, and the others are counted.
struct polled_list {
	static constexpr std::size_t	most = 256;

	std::vector<polled>	first;
	std::uint64_t		count = 0;

	void
	add(int fd, bool reads, bool writes)
	{
		if (count++ < most)
			first.push_back({fd, reads, writes});
	}
};

// A descriptor that was closed or replaced after it was added is another file.
bool
read_epoll(const blocked &w, context &x, polled_list &list)
{
	constexpr std::uint64_t in = EPOLLIN | EPOLLRDHUP | EPOLLPRI;
	char path[64], *line = nullptr;
	std::size_t size = 0;
	std::snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", w.tid(), w.fd);
	FILE *const info = std::fopen(path, "re");
	while (info != nullptr && getline(&line, &size, info) > 0) {
		const std::string_view text(line);
		if (!text.starts_with("tfd:"))
			continue;
		const auto fd = static_cast<int>(number_behind(text, "tfd:"));
		const std::uint64_t events = number_behind(text, "events:", 16);
		if (list.count < polled_list::most) {
			const descriptor &d = x.descriptors.of(w.pid(),
			    w.tid(), fd);
			if (!d.known || d.file.inode != number_behind(text,
			    " ino:", 16))
				continue;
		}
		list.add(fd, (events & in) != 0, (events & EPOLLOUT) != 0);
	}
	std::free(line);
	if (info != nullptr)
		std::fclose(info);
	return info != nullptr;
}

bool
read_poll(const blocked &w, context &x, polled_list &list)
{
	pollfd all[polled_list::most];
	const std::uint64_t count = std::min<std::uint64_t>(w.arg(1),
	    polled_list::most);
	if (!x.words.read_bytes(w.pid(), w.arg(0), all,
	    count * sizeof all[0]))
		return false;
	for (std::uint64_t i = 0; i < count; i++)
		if (all[i].fd >= 0)
			list.add(all[i].fd, (all[i].events & ~POLLOUT) != 0,
			    (all[i].events & POLLOUT) != 0);
	list.count += w.arg(1) - count;
	return true;
}

bool
read_select(const blocked &w, context &x, polled_list &list)
{
	fd_set sets[3];
	const auto end = static_cast<int>(std::min<std::uint64_t>(w.arg(0),
	    FD_SETSIZE));
	const std::size_t size = (static_cast<std::size_t>(end) + 63) / 64 * 8;
	for (int i = 0; i < 3; i++) {
		FD_ZERO(&sets[i]);
		if (w.arg(i + 1) != 0 && !x.words.read_bytes(w.pid(),
		    w.arg(i + 1), &sets[i], size))
			return false;
	}
	for (int fd = 0; fd < end; fd++) {
		const bool reads = FD_ISSET(fd, &sets[0]) ||
		    FD_ISSET(fd, &sets[2]), writes = FD_ISSET(fd, &sets[1]);
		if (reads || writes)
			list.add(fd, reads, writes);
	}
	return true;
}

void
name(blocked &w, context &x, const polled_list &list)
{
	constexpr std::size_t most = 4;
	for (std::size_t i = 0; i < list.first.size() && i < most; i++)
		w.object += (i != 0 ? ", " : "") + std::to_string(
		    list.first[i].fd) + " " + name_with_ends(x,
		    x.descriptors.of(w.pid(), w.tid(), list.first[i].fd),
		    w.tid(), list.first[i].fd);
	if (list.count > most)
		w.object += ", and " + std::to_string(list.count - most) +
		    " more";
}

// Returns true if others than the processes that it adds can end a wait for
// this descriptor: somebody connects, a timer ends, another thread writes.
bool
add_ends(blocked &w, context &x, const polled &p, std::vector<pid_t> &to,
    bool &by_own)
{
	const descriptor &d = x.descriptors.of(w.pid(), w.tid(), p.fd);
	const file_id file = d.file;
	std::vector<pid_t> peers;
	bool own = false;
	if (d.known && (p.reads || p.writes || S_ISSOCK(file.mode)))
		add_peers(x, file, !p.reads && !S_ISSOCK(file.mode), peers);
	const bool others = take_own(w, x, peers, own);
	by_own |= others;
	to.insert(to.end(), peers.begin(), peers.end());
	return others || (peers.empty() && !own);
}

// A server that waits for many clients waits for nobody in particular.
void
find_ends(blocked &w, context &x, const polled_list &list)
{
	constexpr std::uint64_t most = 8;
	std::vector<pid_t> peers;
	bool others = false, by_own = false;
	if (list.count > most)
		return;
	for (const polled &p : list.first)
		others |= add_ends(w, x, p, peers, by_own);
	std::sort(peers.begin(), peers.end());
	peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
	if (!peers.empty())
		add_processes(w, x, peers, STACK9_ROLE_PEER, "");
	if (others && !w.holders.empty())
		w.flags |= STACK9_WAIT_BY_OTHERS;
	else if (by_own && w.holders.empty() && *w.reason == '\0')
		w.reason = "another thread of its own process may wake it";
}

// The timeout of a call that has one in milliseconds.
void
note_ms(blocked &w, int ms)
{
	if (ms < 0)
		return;
	const std::uint64_t ns = static_cast<std::uint64_t>(ms) * 1'000'000;
	w.flags |= STACK9_WAIT_TIMED;
	if (w.facts->idle_ns != 0 && w.facts->idle_ns < ns)
		w.left_ns = ns - w.facts->idle_ns;
}

bool
is_poll(std::int64_t call)
{
#ifdef SYS_poll
	if (call == SYS_poll)
		return true;
#endif
	return call == SYS_ppoll;
}

bool
is_select(std::int64_t call)
{
#ifdef SYS_select
	if (call == SYS_select)
		return true;
#endif
	return call == SYS_pselect6;
}

// select(2) has microseconds in place of nanoseconds, so it is only said that
// there is a time; so has ppoll(2), whose time the C library changes.
void
note_timeout(blocked &w)
{
	switch (w.facts->call) {
#ifdef SYS_poll
	case SYS_poll:
		return note_ms(w, static_cast<int>(w.arg(2)));
	case SYS_epoll_wait:
#endif
	case SYS_epoll_pwait:
		return note_ms(w, static_cast<int>(w.arg(3)));
	}
	const int at = is_poll(w.facts->call) ? 2 : is_select(w.facts->call) ?
	    4 : 3;
	if (w.arg(at) != 0)
		w.flags |= STACK9_WAIT_TIMED;
}

const char *
why_unread(bool knows)
{
	return knows ? "" : "which descriptors it waits for cannot be read";
}

} // namespace

void
find_poll(blocked &w, context &x)
{
	polled_list list;
	w.is(STACK9_WAIT_POLL);
	w.reason = why_unread(read_poll(w, x, list));
	name(w, x, list);
	find_ends(w, x, list);
}

void
find_polled(blocked &w, context &x)
{
	polled_list list;
	note_timeout(w);
	if (is_poll(w.facts->call))
		return find_poll(w, x);
	if (is_select(w.facts->call)) {
		w.is(STACK9_WAIT_POLL);
		w.reason = why_unread(read_select(w, x, list));
	} else {
		w.is(STACK9_WAIT_EPOLL);
		w.fd = static_cast<int>(w.arg(0));
		w.reason = why_unread(read_epoll(w, x, list));
	}
	name(w, x, list);
	find_ends(w, x, list);
}

} // namespace stack9::waits
