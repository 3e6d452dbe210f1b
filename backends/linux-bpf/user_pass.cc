// Opens and reads passes of the program "user".  They work as those in iter.cc
// do, but the request goes with the read(2).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_pass.h"

#include <atomic>
#include <cstring>

#include <bpf/bpf.h>
#include <unistd.h>

#include "bpf/capture_lock.h"
#include "images.h"
#include "iter.h"

namespace stack9::bpf {
namespace {

constinit object object_of_user(s9_image_user,
    "needs bpf_copy_from_user_task() (Linux 5.18)", true);

int
read_records(int pass, void *buffer, std::size_t size, std::size_t &n) noexcept
{
	for (;;) {
		const ssize_t got = ::read(pass, buffer, size);
		if (got >= 0) {
			n = static_cast<std::size_t>(got);
			return 0;
		}
		// EAGAIN: as in iter.cc.
		if (errno != EINTR && errno != EAGAIN)
			return failure(errno);
	}
}

// The first two heads that a pass shows.
struct heads {
	char		of[2][S9_RECORD_HEAD];
	std::size_t	bytes = 0;

	bool
	are_caller_alone() const noexcept
	{
		s9_record who;
		std::memcpy(&who, of[0], S9_RECORD_HEAD);
		return bytes == sizeof of[0] && who.tid == gettid() &&
		    who.pid == getpid();
	}
	bool
	lack_buffer() const noexcept
	{
		s9_record who;
		std::memcpy(&who, of[0], S9_RECORD_HEAD);
		return bytes != 0 && lacks_buffer(who);
	}
};

// Reads who is in a pass.  tid: as in s9_asked.
int
read_heads(const unique_fd &link, pid_t tid, heads &who) noexcept
{
	for (int i = 0; i < most_passes_for_a_buffer; i++) {
		unique_fd pass;
		int error = open_pass(link, pass);
		if (error == 0)
			error = read_pass(pass, {S9_ASKED, tid, 0, 0, S9_WHO,
			    0}, who.of, sizeof who.of, who.bytes);
		if (error != 0 || !who.lack_buffer())
			return error;
	}
	return ENOMEM;
}

// Before 6.1 the kernel restricts no pass.  A pass that is restricted to the
// caller, and whose request is for any thread, shows it; and the caller has to
// be in a pass for the caller.
int
ask_user_of_caller(shows &what) noexcept
{
	unique_fd link;
	heads who;
	int error = open_link(user_object(), gettid(), 0, link);
	if (error == 0)
		error = read_heads(link, 0, who);
	what = shows::wanted_threads;
	if (error != 0 || who.are_caller_alone())
		return error;
	if (who.bytes == sizeof who.of)
		error = read_heads(link, gettid(), who);
	what = who.are_caller_alone() ? shows::any_thread : shows::nothing;
	return error;
}

int
user_pass_shows(shows &what) noexcept
{
	static std::atomic<shows> known{shows::unknown};
	what = known.load(std::memory_order_relaxed);
	if (what != shows::unknown)
		return 0;
	const int error = ask_user_of_caller(what);
	if (error == 0)
		known.store(what);
	return error;
}

} // namespace

object &
user_object() noexcept
{
	return object_of_user;
}

verdict
trust_user_passes() noexcept
{
	shows what = shows::unknown;
	if (const verdict v = user_object().load(); v.error != 0)
		return v;
	if (const int error = user_pass_shows(what); error != 0)
		return explain(error, "a pass of its task iterator fails");
	if (what == shows::nothing)
		return {EOPNOTSUPP, shows_no_caller};
	return {0, nullptr};
}

int
user_scope::open(pid_t tid, pid_t pid) noexcept
{
	shows what = shows::unknown;
	if (const int error = user_pass_shows(what); error != 0)
		return error;
	if (what == shows::nothing)
		return EOPNOTSUPP;
	if (what == shows::any_thread)
		tid = pid = 0;
	of_all_ = tid == 0 && pid == 0;
	return open_link(user_object(), tid, pid, link_);
}

int
user_scope::begin(unique_fd &pass) const noexcept
{
	return open_pass(link_, pass);
}

int
read_pass(const unique_fd &pass, const s9_asked &asked, void *buffer,
    std::size_t size, std::size_t &n) noexcept
{
	std::memcpy(buffer, &asked, sizeof asked);
	if (asked.what != S9_KERNEL_SIDE)
		return read_records(pass.get(), buffer, size, n);
	const guard locked(capture_mutex());
	return read_records(pass.get(), buffer, size, n);
}

} // namespace stack9::bpf
