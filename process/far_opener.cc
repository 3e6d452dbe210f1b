// Makes the process by clone(2) without a signal at its end, so that no wait(2)
// of the program's meets it.  It has copies of nothing but its socket, and ends
// with whoever made it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "far_opener.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstring>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "os/block_signals.h"
#include "os/passed_descriptor.h"

namespace stack9::process {
namespace {

// Without a path: memory is to be read, from inode on, flags bytes.
struct question {
	std::uint64_t	inode, flags, resolve;
	char		path[PATH_MAX + 64];
};

// The size of a question is that of its path.
bool
receive(int socket, void *to, std::size_t size, ssize_t &n, unique_fd &fd)
    noexcept
{
	iovec part{to, size};
	msghdr all{};
	passed_descriptor with;
	all.msg_iov = &part;
	all.msg_iovlen = 1;
	with.make_room(all);
	do
		n = recvmsg(socket, &all, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		fd = passed_descriptor::of(all);
	return n > 0;
}

bool
send(int socket, const void *from, std::size_t size, int fd) noexcept
{
	iovec part{const_cast<void *>(from), size};
	msghdr all{};
	passed_descriptor with;
	all.msg_iov = &part;
	all.msg_iovlen = 1;
	if (fd >= 0)
		with.attach(all, fd);
	return sendmsg(socket, &all, MSG_NOSIGNAL) ==
	    static_cast<ssize_t>(size);
}

// The memory is a copy of a program's in the middle of anything: no lock is
// taken and nothing is allocated.
[[noreturn]] void
serve(int socket) noexcept
{
	constexpr int at = 3;
	if (socket != at)
		dup2(socket, at);
	syscall(SYS_prctl, PR_SET_NAME, "stack9-opener", 0, 0, 0);
	if (syscall(SYS_close_range, at + 1, ~0u, 0) != 0)
		for (int fd = at + 1; fd < 4096; fd++)
			close(fd);
	for (int fd = 0; fd < at; fd++)
		close(fd);
	question q;
	unique_fd dir, file;
	struct stat st;
	for (ssize_t n; receive(at, &q, sizeof q, n, dir);) {
		const int error = q.path[0] == '\0' ?
		    touch(dir.get(), q.inode, q.flags) :
		    open_here(dir ? dir.get() : AT_FDCWD,
		    {q.path, q.inode, q.flags, q.resolve}, file, st);
		if (!send(at, &error, sizeof error, file.get()))
			break;
		file.reset();
		dir.reset();
	}
	_exit(0);
}

} // namespace

void
far_opener::reap() noexcept
{
	for (pid_t &pid : left_)
		if (pid != 0 && waitpid(pid, nullptr, WNOHANG | __WALL) != 0)
			pid = 0;
}

int
far_opener::start() noexcept
{
	int ends[2];
	reap();
	// Each may wait for another server.
	if (std::find(left_.begin(), left_.end(), 0) == left_.end())
		return EAGAIN;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	unique_fd here(ends[0]), there(ends[1]);
	const block_signals all;
	const long pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
	if (pid < 0)
		return errno;
	if (pid == 0)
		serve(there.get());
	pid_ = static_cast<pid_t>(pid);
	socket_ = std::move(here);
	socket_.step_aside();
	return 0;
}

void
far_opener::give_up() noexcept
{
	socket_.reset();
	kill(pid_, SIGKILL);
	*std::find(left_.begin(), left_.end(), 0) = pid_;
	pid_ = 0;
	reap();
}

void
far_opener::leave() noexcept
{
	socket_.reset();
	pid_ = 0;
	left_ = {};
}

int
far_opener::ask(int dir, const way &w, std::uint64_t ns, unique_fd &to)
    noexcept
{
	question q;
	const std::size_t length = std::strlen(w.path) + 1;
	if (length > sizeof q.path)
		return ENAMETOOLONG;
	q.inode = w.inode;
	q.flags = w.flags;
	q.resolve = w.resolve;
	std::memcpy(q.path, w.path, length);
	if (!send(socket_.get(), &q, offsetof(question, path) + length, dir))
		return EPIPE;
	pollfd p{socket_.get(), POLLIN, 0};
	const timespec limit{static_cast<time_t>(ns / 1'000'000'000),
	    static_cast<long>(ns % 1'000'000'000)};
	const int ready = ppoll(&p, 1, &limit, nullptr);
	int error = 0;
	ssize_t n;
	if (ready <= 0)
		return ready == 0 ? ETIMEDOUT : EPIPE;
	if (!receive(socket_.get(), &error, sizeof error, n, to) ||
	    n != sizeof error)
		return EPIPE;
	return error == 0 && !to && *w.path != '\0' ? EMFILE : error;
}

int
touch(int memory, std::uint64_t from, std::uint64_t size) noexcept
{
	constexpr std::uint64_t page = 4096;	// or a part of one
	char byte;
	for (std::uint64_t done = 0; done < size; done += page)
		if (pread(memory, &byte, 1, static_cast<off_t>(from + done)) !=
		    1)
			return EIO;
	return 0;
}

int
far_opener::touch(int memory, std::uint64_t from, std::uint64_t size,
    std::uint64_t ns) noexcept
{
	unique_fd none;
	return open(memory, {"", from, size}, ns, none);
}

int
far_opener::open(int dir, const way &w, std::uint64_t ns, unique_fd &to)
    noexcept
{
	for (int tries = 0;; tries++) {
		if (!socket_)
			if (const int error = start(); error != 0)
				return error;
		const int error = ask(dir, w, ns, to);
		if (error != ETIMEDOUT && error != EPIPE)
			return error;
		give_up();
		if (error == ETIMEDOUT || tries == 1)
			return ETIMEDOUT;
	}
}

} // namespace stack9::process
