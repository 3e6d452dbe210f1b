// Keeps the sockets of the caller's network namespace.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stack9::waits {

// One side of a TCP connection.  IPv4 addresses are written as mapped ones.
struct endpoint {
	std::array<std::uint8_t, 16>	address;
	std::uint16_t			port;

	bool
	operator==(const endpoint &) const = default;
};

struct socket_facts {
	std::uint32_t	inode;		// 0: nobody has accepted it yet
	bool		is_unix, listens;
	std::uint32_t	interface;	// TCP: it is bound to one
	std::uint32_t	peer;		// unix: 0: none, or not accepted yet
	std::vector<std::uint32_t> pending;	// unix: who waits to be
						// accepted
	endpoint	local, remote;
	std::string	text;		// as people write it
};

class sockets {
public:
	// NULL: there is none in the caller's network namespace, or it is
	// neither a unix socket nor TCP.
	const socket_facts *find(std::uint32_t inode);

	// The sockets at the other end.  There is at most one, except for
	// listening sockets that share an address.  accepted is false if they
	// only listen, and nobody has accepted the connection yet.
	std::vector<std::uint32_t> peers_of(const socket_facts &,
	    bool &accepted);

	// Why there may be sockets that are not here; "" there are none.
	const char *
	why_missing() const
	{
		return why_missing_;
	}

private:
	std::vector<std::uint32_t> unix_peers_of(const socket_facts &,
	    bool &accepted) const;

	std::vector<socket_facts>	all_;
	std::unordered_map<std::uint32_t, std::size_t> by_inode_;
	std::unordered_multimap<std::uint32_t, std::size_t> by_ports_;
	// These are of unix sockets that wait to be accepted.
	std::unordered_map<std::uint32_t, std::uint32_t> listeners_;
	bool				is_read_ = false;
	const char			*why_missing_ = "";
};

// Appends the sockets that the kernel lists.  0, or an errno.
int list_unix_sockets(std::vector<socket_facts> &);
int list_tcp_sockets(std::vector<socket_facts> &);

} // namespace stack9::waits
