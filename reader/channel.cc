// Sends and receives messages.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "channel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "os/clocks.h"
#include "os/passed_descriptor.h"

namespace stack9::sandbox {
namespace {

struct header {
	kind		what;
	std::uint32_t	size;
};

} // namespace

// The kernel ends a wait after a second.  The rest of the limit is counted
// here.
void
channel::limit(std::uint64_t ns) noexcept
{
	constexpr std::uint64_t second = 1'000'000'000, most = INT64_MAX / 2;
	left_ns_ = static_cast<std::int64_t>(std::min(ns, most));
	ns = std::min(ns, second);
	if (ns == limit_ns_)
		return;
	limit_ns_ = ns;
	const timeval t{static_cast<time_t>(ns / second),
	    static_cast<suseconds_t>(ns % second / 1000 + 1)};
	for (const int what : {SO_RCVTIMEO, SO_SNDTIMEO})
		setsockopt(socket_.get(), SOL_SOCKET, what, &t, sizeof t);
}

// Returns true if a system call that has just failed is to be made again.  A
// signal may mean that both processes were stopped for a day, so an interrupted
// wait counts as a second at most.  Only after a whole second without a signal
// the child alone is stopped, and not both of them.
bool
channel::goes_on(std::int64_t since) noexcept
{
	constexpr std::int64_t second = 1'000'000'000;
	const int error = errno;
	const std::int64_t waited = monotonic_ns() - since;
	left_ns_ -= error == EINTR ? std::min(waited, second) : waited;
	if (error == EAGAIN && child_ > 0) {
		siginfo_t info{};
		is_stopped_ = waitid(P_PID, static_cast<id_t>(child_), &info,
		    WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
		if (is_stopped_)
			return false;
	}
	return (error == EINTR || error == EAGAIN) && left_ns_ > 0;
}

bool
channel::send(message &m, int fd) noexcept
{
	header h{m.what, static_cast<std::uint32_t>(m.bytes().size())};
	iovec parts[] = {{&h, sizeof h},
	    {m.bytes().data(), m.bytes().size()}};
	msghdr all{};
	passed_descriptor with;
	all.msg_iov = parts;
	all.msg_iovlen = 2;
	if (fd >= 0)
		with.attach(all, fd);
	while (parts[0].iov_len + parts[1].iov_len != 0) {
		const std::int64_t since = monotonic_ns();
		const ssize_t n = sendmsg(socket_.get(), &all, MSG_NOSIGNAL);
		if (n < 0 && goes_on(since))
			continue;
		if (n <= 0)
			return false;
		all.msg_control = nullptr;
		all.msg_controllen = 0;
		auto left = static_cast<std::size_t>(n);
		for (iovec &part : parts) {
			const std::size_t sent = std::min(left, part.iov_len);
			part.iov_base = static_cast<char *>(part.iov_base) +
			    sent;
			part.iov_len -= sent;
			left -= sent;
		}
	}
	return true;
}

bool
channel::send_bytes(const void *from, std::size_t size) noexcept
{
	const auto *at = static_cast<const char *>(from);
	while (size != 0) {
		const std::int64_t since = monotonic_ns();
		const ssize_t n = ::send(socket_.get(), at, size,
		    MSG_NOSIGNAL);
		if (n < 0 && goes_on(since))
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= static_cast<std::size_t>(n);
	}
	return true;
}

bool
channel::receive_bytes(void *to, std::size_t size, unique_fd *fd) noexcept
{
	while (size != 0) {
		iovec part{to, size};
		msghdr all{};
		passed_descriptor with;
		all.msg_iov = &part;
		all.msg_iovlen = 1;
		if (fd != nullptr) {
			all.msg_control = with.bytes;
			all.msg_controllen = sizeof with.bytes;
		}
		const std::int64_t since = monotonic_ns();
		const ssize_t n = recvmsg(socket_.get(), &all,
		    MSG_CMSG_CLOEXEC);
		if (n < 0 && goes_on(since))
			continue;
		if (n <= 0)
			return false;
		left_ns_ -= monotonic_ns() - since;
		if (left_ns_ <= 0)
			return false;
		if (fd != nullptr && !*fd)
			*fd = passed_descriptor::of(all);
		to = static_cast<char *>(to) + n;
		size -= static_cast<std::size_t>(n);
	}
	return true;
}

// A descriptor comes with the first bytes of its message.
bool
channel::receive(message &m, unique_fd &fd, std::size_t most) noexcept
try {
	header h;
	fd.reset();
	if (!receive_bytes(&h, sizeof h, &fd) || h.size > most)
		return false;
	m.begin(h.what);
	m.bytes().resize(h.size);
	return receive_bytes(m.bytes().data(), h.size, nullptr);
} catch (const std::bad_alloc &) {
	return false;
}

} // namespace stack9::sandbox
