// Implements route "user-iter": copies one thread out of a pass, or out of two.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "routes.h"
#include "user_iter.h"
#include "user_pass.h"

namespace stack9::bpf {

int
iter_sampler::read(pid_t tid, const s9_asked &asked, void *buffer,
    std::size_t size, std::size_t &n) noexcept
{
	unique_fd pass;
	int error = scope_ ? 0 : scope_.open(tid, 0);
	if (error == 0)
		error = scope_.begin(pass);
	if (error == 0)
		error = read_pass(pass, asked, buffer, size, n);
	return error;
}

int
iter_sampler::user(pid_t tid, std::uint64_t from) noexcept
{
	std::size_t n = 0;
	const int error = read(tid, {S9_ASKED, tid, 0, from, S9_USER_SIDE, 0},
	    &seen_, sizeof seen_, n);
	if (error != 0)
		return error;
	return n >= S9_USER_HEAD && n - S9_USER_HEAD == seen_.user.bytes ? 0 :
	    ESRCH;
}

int
iter_sampler::kernel(pid_t tid, s9_record &seen) noexcept
{
	std::size_t n = 0;
	const int error = read(tid, {S9_ASKED, tid, 0, 0, S9_KERNEL_SIDE, 0},
	    &seen, sizeof seen, n);
	if (error != 0)
		return error;
	return n >= S9_RECORD_HEAD ? 0 : ESRCH;
}

verdict
user_iter_route::can() noexcept
{
	return user_object().load();
}

int
user_iter_route::copy(const stack9_thread &td, sides &s, lead &l) noexcept
{
	iter_sampler sampler;
	return copy_by(sampler, td, s, l);
}

int
user_iter_route::extend_copy(const stack9_thread &td, user_copy &copy,
    std::uint64_t wanted) noexcept
{
	iter_sampler sampler;
	return extend_copy_by(sampler, td, copy, wanted);
}

} // namespace stack9::bpf
