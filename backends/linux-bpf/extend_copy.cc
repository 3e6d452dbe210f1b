// Extends a copy: behind its last byte, or by a piece of another stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>

#include "bpf/validate.h"
#include "bpf/validate_user.h"
#include "user_sampler.h"

namespace stack9::bpf {
namespace {

// An address farther away than this is of another stack.
constexpr std::uint64_t near_by = 1 << 20;
constexpr std::uint64_t red_zone = 128;

// Samples one thread, as long as it is in the same sleep.
class same_sleep_sampler {
public:
	same_sleep_sampler(user_sampler &by, const stack9_thread &td,
	    std::uint64_t mark) noexcept : by_(by), td_(td), mark_(mark) {}

	// 0: by_.seen() holds bytes from an address on, one at least.  EFAULT:
	// there are none.
	int
	sample(std::uint64_t from) noexcept
	{
		s9_record who;
		if (const int error = sample_patiently(by_, td_.tid, from, who);
		    error != 0)
			return error;
		if (td_.start != 0 && td_.start != start_ticks(who))
			return ESRCH;
		const s9_user &u = by_.seen().user;
		if (!stayed_asleep(who, mark_) || (u.flags & S9_USER_BUSY))
			return EAGAIN;
		return u.bytes == 0 ? EFAULT : 0;
	}

	// The address behind the last of them.
	std::uint64_t
	end_of_sample() const noexcept
	{
		const s9_user &u = by_.seen().user;
		return u.from + u.bytes;
	}

	// Appends the sample to the bytes of a piece.
	int
	append(copied_piece &piece) noexcept
	{
		const s9_user &u = by_.seen().user;
		const std::size_t size = piece.bytes.size();
		if (!piece.bytes.resize(size + u.bytes))
			return ENOMEM;
		std::memcpy(piece.bytes.data() + size, by_.seen().stack,
		    u.bytes);
		piece.more = (u.flags & S9_USER_MORE) != 0;
		return 0;
	}

private:
	user_sampler		&by_;
	const stack9_thread	&td_;
	const std::uint64_t	 mark_;
};

bool
goes_on_to(const copied_piece &piece, std::uint64_t wanted) noexcept
{
	const std::uint64_t end = piece.at + piece.bytes.size();
	return piece.more && wanted >= end && wanted - end < near_by;
}

// Grows a piece to twice its size at least, and up to the wanted word, or up to
// a hole.
int
grow(same_sleep_sampler &rest, copied_piece &piece, std::uint64_t wanted)
    noexcept
{
	const std::size_t had = piece.bytes.size();
	const std::size_t goal = std::max<std::size_t>(2 * had,
	    wanted - piece.at + sizeof wanted);
	int error = 0;
	while (error == 0 && piece.more && piece.bytes.size() < goal) {
		error = rest.sample(piece.at + piece.bytes.size());
		if (error == 0)
			error = rest.append(piece);
	}
	if (error == EFAULT) {		// a hole behind the last sample
		piece.more = false;
		return piece.bytes.size() > had ? 0 : EFAULT;
	}
	if (error != 0) {
		piece.bytes.resize(had);
		piece.more = true;
	}
	return error;
}

int
begin(same_sleep_sampler &rest, copied_piece &piece, std::uint64_t wanted)
    noexcept
{
	// The memory may begin just at the wanted address.
	std::uint64_t at = wanted - red_zone;
	int error = rest.sample(at);
	if (error == EFAULT || (error == 0 && rest.end_of_sample() <= wanted))
		error = rest.sample(at = wanted);
	if (error != 0)
		return error;
	piece.bytes.resize(0);
	piece.at = at;
	return rest.append(piece);
}

} // namespace

int
extend_copy_by(user_sampler &by, const stack9_thread &td, user_copy &copy,
    std::uint64_t wanted) noexcept
{
	same_sleep_sampler rest(by, td, copy.mark);
	for (copied_piece *const piece : copy.pieces()) {
		if (!goes_on_to(*piece, wanted))
			continue;
		if (const int error = grow(rest, *piece, wanted);
		    error != EFAULT)
			return error;
	}
	return begin(rest, copy.other, wanted);
}

} // namespace stack9::bpf
