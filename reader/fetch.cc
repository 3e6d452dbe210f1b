// Forks a process that fetches a file, and receives the descriptor of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fetch.h"

#include <cerrno>
#include <new>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"
#include "sandbox.h"

namespace stack9::sandbox {
namespace {

[[noreturn]] void
fetch_and_send(std::span<const unsigned char> id, file_kind what, int socket)
    noexcept
{
	if (give_up_rights(socket, user::same) != 0 || refuse_acts() != 0)
		_exit(1);
	channel to{unique_fd(socket)};
	const unique_fd fd = fetch_by_id(id, what);
	message m;
	to.send(m.begin(kind::reply), fd.get());
	_exit(0);
}

} // namespace

unique_fd
fetch_apart(std::span<const unsigned char> id, file_kind kind) noexcept
try {
	int ends[2];
	unique_fd fd;
	message m;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return fd;
	channel here{unique_fd(ends[0])};
	unique_fd there(ends[1]);
	const pid_t pid = fork();
	if (pid == 0)
		fetch_and_send(id, kind, there.get());
	there.reset();
	if (pid > 0) {
		here.receive(m, fd, 0);
		while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
			;
	}
	return fd;
} catch (const std::bad_alloc &) {
	return unique_fd();
}

} // namespace stack9::sandbox
