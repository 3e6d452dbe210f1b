// Finds which descriptors a thread waits for, and who has the other end of a
// pipe.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "descriptors.h"

#include <climits>
#include <cstdio>
#include <cstring>

#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/linux/proc_task.h"
#include "world.h"

namespace stack9::waits {
namespace {

constexpr const char no_rights[] = "its descriptors cannot be read";
constexpr int most_named = 4;

bool
is_writing(std::int64_t call)
{
	switch (call) {
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
	case SYS_sendfile:
	case SYS_vmsplice:
		return true;
	}
	return false;
}

void
find_pipe(waiter &w, world &x, const struct stat &file)
{
	const bool writes = is_writing(w.facts->call);
	w.is(STACK9_WAIT_PIPE);
	for (const pipe_ends::end &e : x.pipes.of(file.st_dev, file.st_ino)) {
		stack9_thread td{};
		if ((writes ? e.reads : e.writes) &&
		    x.people.find_process(e.pid, td))
			w.add(td, STACK9_ROLE_PEER, STACK9_HOLDER_PROCESS);
	}
	if (x.pipes.is_partial())
		w.reason = "the descriptors of some processes cannot be read "
		    "without privilege";
	else if (w.holders.empty())
		w.reason = "no process is seen that has the other end open";
}

// A list of names, of which the first few are shown.
class name_list {
public:
	explicit name_list(pid_t tid) : tid_(tid) {}

	void
	add(int fd)
	{
		if (count_++ >= most_named)
			return;
		text_ += (count_ > 1 ? ", " : "") + std::to_string(fd) + " " +
		    descriptor_name(tid_, fd);
	}
	std::string
	text() const
	{
		return count_ <= most_named ? text_ : text_ + ", and " +
		    std::to_string(count_ - most_named) + " more";
	}

private:
	const pid_t	tid_;
	int		count_ = 0;
	std::string	text_;
};

void
name_epoll(waiter &w)
{
	char path[64], buffer[16384];
	proc_file f;
	std::string_view text;
	name_list names(w.tid());
	std::snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", w.tid(), w.fd);
	if (f.open(AT_FDCWD, path) != 0 || f.read(buffer, text) != 0) {
		w.reason = no_rights;
		return;
	}
	for (std::size_t at; (at = text.find("tfd:")) != text.npos;) {
		text.remove_prefix(at);
		names.add(static_cast<int>(number_behind(text, "tfd:")));
		text.remove_prefix(4);
	}
	w.object = names.text();
}

void
name_poll(waiter &w, world &x)
{
	constexpr std::uint64_t most = 64;
	name_list names(w.tid());
	pollfd p{};
	for (std::uint64_t i = 0; i < w.arg(1) && i < most; i++)
		if (x.words.read(w.pid(), w.arg(0) + i * sizeof p, p) &&
		    p.fd >= 0)
			names.add(p.fd);
	w.object = names.text();
}

void
name_select(waiter &w, world &x)
{
	name_list names(w.tid());
	fd_set sets[3]{};
	for (int i = 0; i < 3; i++)
		if (w.arg(i + 1) == 0 || !x.words.read(w.pid(), w.arg(i + 1),
		    sets[i]))
			FD_ZERO(&sets[i]);
	for (int fd = 0; fd < static_cast<int>(w.arg(0)) && fd < FD_SETSIZE;
	    fd++)
		if (FD_ISSET(fd, &sets[0]) || FD_ISSET(fd, &sets[1]) ||
		    FD_ISSET(fd, &sets[2]))
			names.add(fd);
	w.object = names.text();
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

} // namespace

std::string
descriptor_name(pid_t tid, int fd)
{
	char path[64], name[PATH_MAX];
	std::snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, fd);
	const ssize_t n = readlink(path, name, sizeof name);
	return n > 0 ? std::string(name, static_cast<std::size_t>(n)) :
	    std::string();
}

bool
descriptor_file(pid_t tid, int fd, struct stat &to)
{
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, fd);
	return stat(path, &to) == 0;
}

void
find_descriptor(waiter &w, world &x)
{
	struct stat file{};
	w.fd = static_cast<int>(w.arg(0));
	w.object = descriptor_name(w.tid(), w.fd);
	w.is(STACK9_WAIT_DESCRIPTOR);
	if (!descriptor_file(w.tid(), w.fd, file))
		w.reason = no_rights;
	else if (S_ISFIFO(file.st_mode))
		find_pipe(w, x, file);
	else if (S_ISSOCK(file.st_mode))
		w.is(STACK9_WAIT_SOCKET, "who has the other end of a socket "
		    "is not looked for");
}

void
find_polled(waiter &w, world &x)
{
	if (is_poll(w.facts->call)) {
		w.is(STACK9_WAIT_POLL);
		name_poll(w, x);
	} else if (is_select(w.facts->call)) {
		w.is(STACK9_WAIT_POLL);
		name_select(w, x);
	} else {
		w.is(STACK9_WAIT_EPOLL);
		w.fd = static_cast<int>(w.arg(0));
		name_epoll(w);
	}
}

} // namespace stack9::waits
