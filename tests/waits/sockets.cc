// Compares the waits that stack9_waits() finds with those that programs know:
// sockets, and who has their other ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <string>

#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "check.h"
#include "require.h"

namespace {

namespace data = boost::unit_test::data;

void
read_one(int fd)
{
	char c;
	while (read(fd, &c, 1) < 0)
		;
}

// A socket of loopback that listens; its address.
int
listen_on_loopback(int family, sockaddr_storage &at, socklen_t &size)
{
	const int fd = socket(family, SOCK_STREAM, 0);
	at = {};
	at.ss_family = static_cast<sa_family_t>(family);
	size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
	if (family == AF_INET)
		reinterpret_cast<sockaddr_in &>(at).sin_addr.s_addr =
		    htonl(INADDR_LOOPBACK);
	else
		reinterpret_cast<sockaddr_in6 &>(at).sin6_addr =
		    in6addr_loopback;
	if (bind(fd, reinterpret_cast<sockaddr *>(&at), size) != 0 ||
	    listen(fd, 5) != 0 || getsockname(fd,
	    reinterpret_cast<sockaddr *>(&at), &size) != 0)
		_exit(1);
	return fd;
}

int
connect_to(const sockaddr_storage &at, socklen_t size)
{
	const int fd = socket(at.ss_family, SOCK_STREAM, 0);
	if (connect(fd, reinterpret_cast<const sockaddr *>(&at), size) != 0)
		_exit(1);
	return fd;
}

// A process that has accepted a connection, and one that has not.
BOOST_TEST_DECORATOR(*needs("bpf"))
BOOST_DATA_TEST_CASE(peers_of_tcp, data::make({AF_INET, AF_INET6}), family)
{
	scene of([family = family](stage &s) {
		static int accepted, queued;
		sockaddr_storage one, two;
		socklen_t size;
		const int first = listen_on_loopback(family, one, size);
		accepted = connect_to(one, size);
		begin_process(s, 0, [first] {
			accept(first, nullptr, nullptr);
			close(first);
			close(accepted);
		});
		close(first);
		const int second = listen_on_loopback(family, two, size);
		begin_process(s, 1, [] { close(accepted); });
		close(second);
		queued = connect_to(two, size);
		act(s, 2, STACK9_WAIT_SOCKET, 0, [] { read_one(accepted); },
		    true);
		act(s, 3, STACK9_WAIT_SOCKET, 1, [] { read_one(queued); },
		    true);
		act(s, 4, STACK9_WAIT_POLL, 1, [] {
			pollfd p{queued, POLLIN, 0};
			poll(&p, 1, -1);
		}, true);
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_SOCKET)
			BOOST_TEST((f.object.find(" TCP ") != f.object.npos));
}

// Two connections differ by one address only: that of the client.
BOOST_AUTO_TEST_CASE(peers_of_one_port, *needs("bpf"))
{
	scene of([](stage &s) {
		static int clients[2], servers[2];
		sockaddr_storage at;
		socklen_t size;
		const int listener = listen_on_loopback(AF_INET, at, size);
		sockaddr_storage from = at;
		auto &in = reinterpret_cast<sockaddr_in &>(from);
		in.sin_port = 0;
		for (int i = 0; i < 2; i++) {
			clients[i] = socket(AF_INET, SOCK_STREAM, 0);
			in.sin_addr.s_addr = htonl(INADDR_LOOPBACK +
			    static_cast<unsigned int>(i));
			if (bind(clients[i], reinterpret_cast<sockaddr *>(
			    &from), size) != 0 || getsockname(clients[i],
			    reinterpret_cast<sockaddr *>(&from), &size) != 0 ||
			    connect(clients[i], reinterpret_cast<sockaddr *>(
			    &at), size) != 0)
				_exit(1);
			servers[i] = accept(listener, nullptr, nullptr);
		}
		close(listener);
		for (int i = 0; i < 2; i++)
			begin_process(s, i, [=] {
				close(servers[1 - i]);
				close(clients[0]);
				close(clients[1]);
			});
		close(servers[0]);
		close(servers[1]);
		act(s, 2, STACK9_WAIT_SOCKET, 0, [] { read_one(clients[0]); },
		    true);
		act(s, 3, STACK9_WAIT_SOCKET, 1, [] { read_one(clients[1]); },
		    true);
	});
	check_scene(of);
}

BOOST_AUTO_TEST_CASE(peers_of_unix_sockets, *needs("bpf"))
{
	scene of([](stage &s) {
		static int pair[2], queued, listener, datagrams[2];
		sockaddr_un at{AF_UNIX, {}};
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 ||
		    socketpair(AF_UNIX, SOCK_DGRAM, 0, datagrams) != 0)
			_exit(1);
		listener = socket(AF_UNIX, SOCK_STREAM, 0);
		std::snprintf(at.sun_path + 1, sizeof at.sun_path - 1,
		    "stack9-waits-%d", getpid());
		if (bind(listener, reinterpret_cast<sockaddr *>(&at),
		    sizeof at) != 0 || listen(listener, 5) != 0)
			_exit(1);
		begin_process(s, 0, [] {
			close(listener);
			close(pair[0]);
			close(datagrams[0]);
		});
		begin_process(s, 1, [] {
			close(pair[0]);
			close(pair[1]);
			close(datagrams[1]);
		});
		close(pair[1]);
		close(listener);
		close(datagrams[1]);
		queued = socket(AF_UNIX, SOCK_STREAM, 0);
		if (connect(queued, reinterpret_cast<sockaddr *>(&at),
		    sizeof at) != 0)
			_exit(1);
		act(s, 2, STACK9_WAIT_SOCKET, 0, [] { read_one(pair[0]); },
		    true);
		act(s, 3, STACK9_WAIT_SOCKET, 1, [] { read_one(queued); },
		    true);
		act(s, 4, STACK9_WAIT_SOCKET, 0,
		    [] { read_one(datagrams[0]); }, true);
		act(s, 5, STACK9_WAIT_SOCKET, 0, [] {
			for (char block[4096]{};;)
				write(pair[0], block, sizeof block);
		}, true);
	});
	check_scene(of);
}

// Its sockets are in a network namespace that is not ours.
BOOST_AUTO_TEST_CASE(peers_in_another_network, *needs("root"))
{
	scene of([](stage &s) {
		static int pair[2];
		if (unshare(CLONE_NEWNET) != 0 ||
		    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
			_exit(1);
		act(s, 0, STACK9_WAIT_SOCKET, -1, [] { read_one(pair[0]); });
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_SOCKET) {
			BOOST_TEST((f.reason.find("network namespace") !=
			    f.reason.npos));
			BOOST_TEST((f.object.find("UNIX") != f.object.npos));
		}
}

} // namespace
