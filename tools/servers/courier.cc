// Answers requests in a twin of this process, and in another one when the first
// has crashed.
//
// A request comes as one message with a memory file, and an answer is one
// message: nothing is left of a request whose process has ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "courier.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "curl.h"
#include "os/passed_descriptor.h"

namespace servers {
namespace {

constexpr unsigned int most_twins = 1000;

bool
send_bytes(int socket, const std::string &bytes)
{
	ssize_t n;
	do
		n = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n >= 0;
}

// False: the other side is gone.
bool
receive(int socket, std::uint64_t &number, stack9::unique_fd &fd)
{
	iovec part{&number, sizeof number};
	msghdr all{};
	stack9::passed_descriptor with;
	all.msg_iov = &part;
	all.msg_iovlen = 1;
	with.make_room(all);
	ssize_t n;
	do
		n = recvmsg(socket, &all, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != sizeof number)
		return false;
	fd = stack9::passed_descriptor::of(all);
	return true;
}

std::string
content_of(int fd)
{
	struct stat st;
	std::string bytes;
	if (fstat(fd, &st) != 0)
		return bytes;
	bytes.resize(static_cast<std::size_t>(st.st_size));
	std::size_t had = 0;
	for (ssize_t n = 1; n > 0 && had < bytes.size(); had +=
	    static_cast<std::size_t>(std::max<ssize_t>(n, 0)))
		n = pread(fd, bytes.data() + had, bytes.size() - had,
		    static_cast<off_t>(had));
	bytes.resize(had);
	return bytes;
}

// The first one says how it began.
int
speak(int socket, bool first)
{
	curl c;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (start_nothing() != 0)
		return 1;
	const std::string why = c.open();
	if (first && !send_bytes(socket, why.empty() ? " " : why))
		return 0;
	std::uint64_t number;
	stack9::unique_fd fd;
	while (receive(socket, number, fd)) {
		answer a;
		a.error = why;
		if (why.empty())
			a = c.post(question_in(content_of(fd.get())));
		fd.reset();
		if (!send_bytes(socket, bytes_of(a, number)))
			break;
	}
	return 0;
}

} // namespace

void
be_courier(stack9::unique_fd socket) noexcept
try {
	prctl(PR_SET_NAME, "stack9-courier");
	if (const int error = confine(socket.get()); error != 0) {
		send_bytes(socket.get(), fmt::format("the process that speaks "
		    "with servers could not give up its rights: {}",
		    std::strerror(error)));
		_exit(1);
	}
	for (unsigned int n = 0; n < most_twins; n++) {
		int status = 0;
		const pid_t pid = fork();
		if (pid == 0)
			_exit(speak(socket.get(), n == 0));
		while (pid > 0 && waitpid(pid, &status, 0) < 0 &&
		    errno == EINTR)
			;
		if (pid < 0 || WIFEXITED(status))
			break;
		answer a;
		a.error = fmt::format("the process that speaks with the server "
		    "was killed by signal {}", WTERMSIG(status));
		if (!send_bytes(socket.get(), bytes_of(a, 0)))
			break;
	}
	_exit(0);
} catch (...) {
	_exit(1);
}

} // namespace servers
