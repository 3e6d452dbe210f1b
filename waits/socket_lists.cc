// Asks the kernel for its unix and TCP sockets, sock_diag(7).  It lists them
// for any user.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sockets.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "os/unique_fd.h"

namespace stack9::waits {
namespace {

// Sends a request and calls f(message) for each answer.  0, or an errno.
template <class request, class F>
int
ask(const request &wanted, F f)
{
	alignas(nlmsghdr) char buffer[32 * 1024];
	struct {
		nlmsghdr	head;
		request		body;
	} message{};
	const unique_fd fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
	    NETLINK_SOCK_DIAG));
	message.head.nlmsg_len = sizeof message;
	message.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
	message.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	message.body = wanted;
	if (!fd || send(fd.get(), &message, sizeof message, 0) < 0)
		return errno;
	for (;;) {
		const ssize_t n = recv(fd.get(), buffer, sizeof buffer, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : EIO;
		auto left = static_cast<unsigned int>(n);
		for (auto *h = reinterpret_cast<nlmsghdr *>(buffer);
		    NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
			if (h->nlmsg_type == NLMSG_DONE)
				return 0;
			if (h->nlmsg_type == NLMSG_ERROR)
				return -static_cast<nlmsgerr *>(
				    NLMSG_DATA(h))->error;
			f(*h);
		}
	}
}

// Calls f(type, payload) for the attributes that follow a message's body.
template <class body, class F>
void
each_attribute(nlmsghdr &h, F f)
{
	if (h.nlmsg_len < NLMSG_LENGTH(sizeof(body)))
		return;
	auto left = static_cast<unsigned int>(
	    h.nlmsg_len - NLMSG_LENGTH(sizeof(body)));
	auto *a = reinterpret_cast<rtattr *>(static_cast<char *>(
	    NLMSG_DATA(&h)) + NLMSG_ALIGN(sizeof(body)));
	for (; RTA_OK(a, left); a = RTA_NEXT(a, left))
		f(a->rta_type, std::string_view(static_cast<char *>(
		    RTA_DATA(a)), RTA_PAYLOAD(a)));
}

std::uint32_t
word_at(std::string_view bytes, std::size_t at)
{
	std::uint32_t word = 0;
	if (at + sizeof word <= bytes.size())
		std::memcpy(&word, bytes.data() + at, sizeof word);
	return word;
}

// A name may be abstract; such a one begins with a zero.
std::string
unix_name(std::string_view raw)
{
	std::string name(raw);
	if (!name.empty() && name[0] == '\0')
		name[0] = '@';
	while (!name.empty() && name.back() == '\0')
		name.pop_back();
	return name;
}

void
add_unix(nlmsghdr &h, std::vector<socket_facts> &all)
{
	const auto &m = *static_cast<const unix_diag_msg *>(NLMSG_DATA(&h));
	socket_facts s{};
	std::string name;
	s.inode = m.udiag_ino;
	s.is_unix = true;
	s.listens = m.udiag_state == TCP_LISTEN;
	each_attribute<unix_diag_msg>(h, [&](int type, std::string_view v) {
		if (type == UNIX_DIAG_NAME)
			name = unix_name(v);
		else if (type == UNIX_DIAG_PEER)
			s.peer = word_at(v, 0);
		else if (type == UNIX_DIAG_ICONS)
			for (std::size_t i = 0; i < v.size(); i += 4)
				s.pending.push_back(word_at(v, i));
	});
	s.text = m.udiag_type == SOCK_DGRAM ? "unix datagram" : "unix";
	if (!name.empty())
		s.text += " " + name;
	if (s.listens)
		s.text += ", listens";
	all.push_back(std::move(s));
}

endpoint
endpoint_of(int family, const __be32 (&address)[4], __be16 port)
{
	endpoint e{};
	e.port = ntohs(port);
	if (family == AF_INET6) {
		std::memcpy(e.address.data(), address, 16);
	} else {
		e.address[10] = e.address[11] = 0xff;
		std::memcpy(e.address.data() + 12, address, 4);
	}
	return e;
}

std::string
text_of(const endpoint &e)
{
	char text[INET6_ADDRSTRLEN] = "";
	in6_addr a;
	std::memcpy(&a, e.address.data(), sizeof a);
	const std::string port = ":" + std::to_string(e.port);
	if (IN6_IS_ADDR_V4MAPPED(&a))
		return inet_ntop(AF_INET, e.address.data() + 12, text,
		    sizeof text) + port;
	return "[" + std::string(inet_ntop(AF_INET6, &a, text, sizeof text)) +
	    "]" + port;
}

void
add_tcp(nlmsghdr &h, std::vector<socket_facts> &all)
{
	const auto &m = *static_cast<const inet_diag_msg *>(NLMSG_DATA(&h));
	socket_facts s{};
	s.inode = m.idiag_inode;
	s.listens = m.idiag_state == TCP_LISTEN;
	s.interface = m.id.idiag_if;
	s.local = endpoint_of(m.idiag_family, m.id.idiag_src, m.id.idiag_sport);
	s.remote = endpoint_of(m.idiag_family, m.id.idiag_dst,
	    m.id.idiag_dport);
	s.text = "TCP " + text_of(s.local) + (s.listens ? ", listens" :
	    " to " + text_of(s.remote));
	all.push_back(std::move(s));
}

} // namespace

int
list_unix_sockets(std::vector<socket_facts> &all)
{
	unix_diag_req r{};
	r.sdiag_family = AF_UNIX;
	r.udiag_states = ~0u;
	r.udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER | UDIAG_SHOW_ICONS;
	return ask(r, [&](nlmsghdr &h) { add_unix(h, all); });
}

// Sockets of connections that have ended have no process.
int
list_tcp_sockets(std::vector<socket_facts> &all)
{
	int error = 0;
	for (const int family : {AF_INET, AF_INET6}) {
		inet_diag_req_v2 r{};
		r.sdiag_family = static_cast<std::uint8_t>(family);
		r.sdiag_protocol = IPPROTO_TCP;
		r.idiag_states = ~(1u << TCP_TIME_WAIT);
		const int failed = ask(r, [&](nlmsghdr &h) {
			add_tcp(h, all);
		});
		// A kernel without IPv6 has no such sockets.
		if (failed != 0 && family == AF_INET)
			error = failed;
	}
	return error;
}

} // namespace stack9::waits
