// Finds the processes that have the other end of a pipe or socket open.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "peers.h"

#include <cstdio>

#include <sys/xattr.h>

#include "context.h"

namespace stack9::waits {
namespace {

void
add_ends(std::span<const open_file> files, std::vector<pid_t> &to)
{
	for (const open_file &f : files)
		if (to.empty() || to.back() != f.pid)
			to.push_back(f.pid);
}

// "TCP", "UNIX-STREAM" and so on; of any network namespace.  "" is not known.
std::string
protocol_of(pid_t tid, int fd)
{
	char path[64], name[64];
	std::snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, fd);
	const ssize_t n = getxattr(path, "system.sockprotoname", name,
	    sizeof name);
	return n > 1 ? std::string(name, static_cast<std::size_t>(n - 1)) :
	    std::string();
}

const char *
add_socket_peers(context &x, const file_id &file, std::vector<pid_t> &to)
{
	const socket_facts *const s = x.ends.find(
	    static_cast<std::uint32_t>(file.inode));
	if (s == nullptr)
		return *x.ends.why_missing() != '\0' ? x.ends.why_missing() :
		    "the kernel does not name its other end, or it is of "
		    "another network namespace";
	if (s->listens)
		return "anyone may connect to it";
	bool accepted = true;
	const std::vector<std::uint32_t> peers = x.ends.peers_of(*s, accepted);
	for (const std::uint32_t inode : peers)
		add_ends(x.files.of(file.device, inode), to);
	if (!peers.empty())
		return accepted ? "" : "the connection is not accepted yet";
	return s->is_unix ? "it has no other end" : "its other end is not in "
	    "this network namespace, or not accepted yet";
}

} // namespace

const char *
add_peers(context &x, const file_id &file, bool writes, std::vector<pid_t> &to)
{
	if (S_ISSOCK(file.mode))
		return add_socket_peers(x, file, to);
	if (!S_ISFIFO(file.mode))
		return "";
	for (const open_file &f : x.files.of(file.device, file.inode))
		if ((writes ? f.reads : f.writes) &&
		    (to.empty() || to.back() != f.pid))
			to.push_back(f.pid);
	return "";
}

bool
take_own(const blocked &w, context &x, std::vector<pid_t> &peers,
    bool &was_there)
{
	stack9_thread td{};
	int threads = 0;
	was_there = std::erase(peers, w.pid()) != 0;
	return was_there && (!x.people.find_living(w.pid(), td, &threads) ||
	    threads != 1);
}

std::string
name_with_ends(context &x, const descriptor &d, pid_t tid, int fd)
{
	if (!d.known || !S_ISSOCK(d.file.mode))
		return d.name;
	const socket_facts *const s = x.ends.find(
	    static_cast<std::uint32_t>(d.file.inode));
	const std::string more = s != nullptr ? s->text :
	    protocol_of(tid, fd);
	return more.empty() ? d.name : d.name + " " + more;
}

} // namespace stack9::waits
