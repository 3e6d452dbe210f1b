// Implements route "user-iter": copies one thread out of a pass, or out of two.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include "routes.h"
#include "user_iter.h"
#include "user_pass.h"

namespace stack9::bpf {

int
iter_sampler::read(pid_t tid, const s9_asked &asked, void *buffer,
    std::size_t size, std::size_t &n) noexcept
{
	if (const int error = scope_ ? 0 : scope_.open(tid, 0); error != 0)
		return error;
	for (int i = 0; i < most_passes_for_a_buffer; i++) {
		unique_fd pass;
		s9_record who;
		int error = scope_.begin(pass);
		if (error == 0)
			error = read_pass(pass, asked, buffer, size, n);
		if (error != 0)
			return error;
		if (n == 0)
			return ESRCH;
		if (n < S9_RECORD_HEAD)
			return EIO;
		std::memcpy(&who, buffer, S9_RECORD_HEAD);
		if (!lacks_buffer(who))
			return 0;
	}
	return ENOMEM;
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
	    EIO;
}

int
iter_sampler::kernel(pid_t tid, s9_record &seen) noexcept
{
	std::size_t n = 0;
	return read(tid, {S9_ASKED, tid, 0, 0, S9_KERNEL_SIDE, 0}, &seen,
	    sizeof seen, n);
}

verdict
user_iter_route::can() noexcept
{
	return trust_user_passes();
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
