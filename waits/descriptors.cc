// Finds for which descriptor a thread waits, and who has the other end of a
// pipe or socket.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <vector>

#include <sys/syscall.h>

#include "peers.h"
#include "context.h"

namespace stack9::waits {
namespace {

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
find_ends(blocked &w, context &x, const file_id &file)
{
	std::vector<pid_t> peers;
	const char *const why = add_peers(x, file, is_writing(w.facts->call),
	    peers);
	bool own = false;
	const bool others = take_own(w, x, peers, own);
	if (!peers.empty() || *why == '\0')
		add_processes(w, x, peers, STACK9_ROLE_PEER, others ?
		    "its own process has the other end, in which any thread "
		    "may end it" : own ? "nobody but itself has the other end "
		    "open" : "no process is seen that has the other end open");
	if (others && !w.holders.empty()) {
		w.flags |= STACK9_WAIT_BY_OTHERS;
		if (*w.reason == '\0')
			w.reason = "its own process has the other end, too";
	}
	if (*why != '\0' && *w.reason == '\0')
		w.reason = why;
}

} // namespace

void
find_descriptor(blocked &w, context &x)
{
	w.fd = static_cast<int>(w.arg(0));
	w.is(STACK9_WAIT_DESCRIPTOR);
	const descriptor &d = x.descriptors.of(w.pid(), w.tid(), w.fd);
	if (!d.known) {
		w.reason = "its descriptors cannot be read";
		return;
	}
	const file_id file = d.file;
	w.object = name_with_ends(x, d, w.tid(), w.fd);
	if (S_ISFIFO(file.mode))
		w.is(STACK9_WAIT_PIPE);
	else if (S_ISSOCK(file.mode))
		w.is(STACK9_WAIT_SOCKET);
	else
		return;
	// A thread waits for the other end so that signals wake it.
	if (w.facts->state == 'D')
		w.reason = "it waits for a lock of the kernel, which the "
		    "kernel does not name";
	else if (w.facts->call == SYS_connect)
		w.reason = "the connection is not made yet";
	else
		find_ends(w, x, file);
}

} // namespace stack9::waits
