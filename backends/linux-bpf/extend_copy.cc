// Extends a copy: after its last byte, or by a piece of another stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>

#include "arch/cpu.h"
#include "bpf/validate.h"
#include "bpf/validate_user.h"
#include "core/seam/extend_copy.h"
#include "user_sampler.h"

namespace stack9::bpf {
namespace {

// Samples one thread, as long as it is in the same sleep.
class same_sleep_sampler {
public:
	same_sleep_sampler(user_sampler &by, const stack9_thread &td,
	    std::uint64_t mark) noexcept : by_(by), td_(td), mark_(mark) {}

	// Fills the buffer as far as there is memory.
	fetched
	fetch(std::uint64_t from, std::byte *to, std::size_t size) noexcept
	{
		// A sampler takes address 0 for the stack pointer.
		fetched got{from != 0 ? 0 : EFAULT, 0, true};
		while (got.error == 0 && got.more && got.size < size)
			add(from + got.size, to + got.size, size - got.size,
			    got);
		return got;
	}

private:
	void
	add(std::uint64_t from, std::byte *to, std::size_t size, fetched &got)
	    noexcept
	{
		got.error = sample(from);
		const s9_user &u = by_.seen().user;
		const std::size_t n = std::min<std::size_t>(size, u.bytes);
		if (got.error != 0)
			return;
		std::memcpy(to, by_.seen().stack, n);
		got.size += n;
		got.more = n != 0 &&
		    (n < u.bytes || (u.flags & S9_USER_MORE) != 0);
	}

	// 0: by_.seen() holds the bytes from an address on, perhaps none.
	int
	sample(std::uint64_t from) noexcept
	{
		s9_record who;
		if (const int error = sample_patiently(by_, td_.tid, from, who);
		    error != 0)
			return error;
		if (td_.start != 0 && td_.start != start_ticks(who))
			return ESRCH;
		return stayed_asleep(who, mark_) &&
		    !(by_.seen().user.flags & S9_USER_BUSY) ? 0 : EAGAIN;
	}

	user_sampler		&by_;
	const stack9_thread	&td_;
	const std::uint64_t	 mark_;
};

} // namespace

int
extend_copy_by(user_sampler &by, const stack9_thread &td, user_copy &copy,
    std::uint64_t wanted) noexcept
{
	same_sleep_sampler rest(by, td, copy.mark);
	return fetch_more(copy, wanted, unwind::red_zone, S9_USER_STACK,
	    [&](std::uint64_t from, std::byte *to, std::size_t size) {
		return rest.fetch(from, to, size);
	});
}

} // namespace stack9::bpf
