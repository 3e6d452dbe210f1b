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
			return errno;
	}
}

// Before 6.1 the kernel restricts no pass.  A pass that is restricted to the
// caller and asks for any thread shows it.
int
ask_restricted(bool &is) noexcept
{
	struct {
		char of_one[S9_RECORD_HEAD];
		char of_another[S9_RECORD_HEAD];
	} who;
	unique_fd link, pass;
	std::size_t n = 0;
	int error = open_link(user_object(), gettid(), 0, link);
	if (error == 0)
		error = open_pass(link, pass);
	if (error == 0)
		error = read_pass(pass, {S9_ASKED, 0, 0, 0, S9_WHO, 0}, &who,
		    sizeof who, n);
	is = n <= sizeof who.of_one;
	return error;
}

int
is_restricted(bool &is) noexcept
{
	static std::atomic<int> known{-1};
	if (const int k = known.load(std::memory_order_relaxed); k >= 0) {
		is = k != 0;
		return 0;
	}
	const int error = ask_restricted(is);
	if (error == 0)
		known.store(is);
	return error;
}

} // namespace

object &
user_object() noexcept
{
	return object_of_user;
}

int
user_scope::open(pid_t tid, pid_t pid) noexcept
{
	bool restricted = false;
	if (const int error = is_restricted(restricted); error != 0)
		return error;
	if (!restricted)
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
