// Finds the other end of a unix socket or of a TCP connection of this machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sockets.h"

#include <algorithm>

namespace stack9::waits {
namespace {

std::uint32_t
ports(std::uint16_t local, std::uint16_t remote)
{
	return std::uint32_t{local} << 16 | remote;
}

// Returns true if a listening socket takes connections to an address.  One of
// IPv6 may take those of IPv4, too.
bool
takes(const socket_facts &listener, const endpoint &to)
{
	static constexpr std::array<std::uint8_t, 16> any6{};
	static constexpr std::array<std::uint8_t, 16> any4{0, 0, 0, 0, 0, 0,
	    0, 0, 0, 0, 0xff, 0xff};
	const bool is_v4 = std::equal(to.address.begin(),
	    to.address.begin() + 12, any4.begin());
	return listener.local.address == to.address ||
	    listener.local.address == any6 ||
	    (is_v4 && listener.local.address == any4);
}

} // namespace

const socket_facts *
sockets::find(std::uint32_t inode)
{
	if (!is_read_) {
		is_read_ = true;
		if (list_unix_sockets(all_) != 0)
			why_missing_ = "the kernel does not list unix sockets";
		if (list_tcp_sockets(all_) != 0)
			why_missing_ = "the kernel does not list TCP sockets";
		for (std::size_t i = 0; i < all_.size(); i++) {
			const socket_facts &s = all_[i];
			if (s.inode != 0)
				by_inode_.emplace(s.inode, i);
			for (const std::uint32_t client : s.pending)
				listeners_.emplace(client, s.inode);
			if (!s.is_unix)
				by_ports_.emplace(ports(s.local.port,
				    s.remote.port), i);
		}
	}
	const auto it = by_inode_.find(inode);
	return it == by_inode_.end() ? nullptr : &all_[it->second];
}

// A listening socket knows who waits to be accepted.
std::vector<std::uint32_t>
sockets::unix_peers_of(const socket_facts &s, bool &accepted) const
{
	if (s.peer != 0)
		return {s.peer};
	accepted = false;
	const auto it = listeners_.find(s.inode);
	return it == listeners_.end() ? std::vector<std::uint32_t>() :
	    std::vector{it->second};
}

// Two connections with the same addresses differ by what they are bound to, and
// then it is not known which of them is the peer.
std::vector<std::uint32_t>
sockets::peers_of(const socket_facts &s, bool &accepted)
{
	std::vector<std::uint32_t> found;
	accepted = true;
	if (s.listens)
		return found;
	if (s.is_unix)
		return unix_peers_of(s, accepted);
	std::size_t count = 0;
	const auto [from, to] = by_ports_.equal_range(ports(s.remote.port,
	    s.local.port));
	for (auto it = from; it != to; ++it) {
		const socket_facts &o = all_[it->second];
		if (o.listens || o.local != s.remote || o.remote != s.local)
			continue;
		count++;
		accepted = o.inode != 0;
		found = {o.inode};
	}
	if (count != 1 || accepted)
		return count == 1 ? found : std::vector<std::uint32_t>();
	found.clear();
	const auto [first, last] = by_ports_.equal_range(ports(s.remote.port,
	    0));
	for (auto it = first; it != last; ++it)
		if (all_[it->second].listens && takes(all_[it->second],
		    s.remote))
			found.push_back(all_[it->second].inode);
	return found;
}

} // namespace stack9::waits
