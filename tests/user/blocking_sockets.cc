// Makes calls that wait for a socket.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "blocked.h"

namespace {

int
new_socket()
{
	int p[2];
	return socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0 ? p[0] : -1;
}

int
listening()
{
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	sockaddr_un any{AF_UNIX, {}};
	return bind(fd, reinterpret_cast<sockaddr *>(&any),
	    sizeof any.sun_family) == 0 && listen(fd, 0) == 0 ? fd : -1;
}

int
patient_for_ages(int fd, int option)
{
	const timeval limit{1000000, 0};
	setsockopt(fd, SOL_SOCKET, option, &limit, sizeof limit);
	return fd;
}

void
receive(int fd)
{
	sit_in([=] {
		char byte;
		return recv(fd, &byte, 1, 0);
	});
}

void
receive_a_message()
{
	const int fd = new_socket();
	sit_in([=] {
		char byte;
		iovec v{&byte, 1};
		msghdr m{};
		m.msg_iov = &v;
		m.msg_iovlen = 1;
		return recvmsg(fd, &m, 0);
	});
}

void
send_until_full(int fd)
{
	static const char page[4096] = {};
	while (send(fd, page, sizeof page, MSG_DONTWAIT) > 0)
		;
	sit_in([=] { return send(fd, page, sizeof page, 0); });
}

void
accept_on(int fd)
{
	sit_in([=] { return accept(fd, nullptr, nullptr); });
}

void
knock()
{
	static sockaddr_un to{};
	static socklen_t size = sizeof to;
	getsockname(listening(), reinterpret_cast<sockaddr *>(&to), &size);
	const auto connect_by = [](int fd) {
		return connect(fd, reinterpret_cast<sockaddr *>(&to), size);
	};
	while (connect_by(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)) == 0)
		;
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	sit_in([=] { return connect_by(fd); });
}

} // namespace

std::vector<blocking_call>
calls_of_sockets()
{
	return {
	{"recv", "recv", "recv", [] { receive(new_socket()); }},
	{"recv with SO_RCVTIMEO", "SO_RCVTIMEO", "recv", [] {
		receive(patient_for_ages(new_socket(), SO_RCVTIMEO));
	}},
	{"recvmsg", "recvmsg", "recvmsg", receive_a_message},
	{"send", "send", "send", [] { send_until_full(new_socket()); }},
	{"send with SO_SNDTIMEO", "SO_SNDTIMEO", "send", [] {
		send_until_full(patient_for_ages(new_socket(), SO_SNDTIMEO));
	}},
	{"accept", "accept", "accept", [] { accept_on(listening()); }},
	{"accept with SO_RCVTIMEO", "SO_RCVTIMEO", "accept", [] {
		accept_on(patient_for_ages(listening(), SO_RCVTIMEO));
	}},
	{"connect", "connect", "connect", knock},
	};
}
