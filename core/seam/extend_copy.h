// Decides what to read where a walk lacks memory, as
// copying_route::extend_copy() says.  Backends may use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "user_copy.h"

namespace stack9 {

// A piece as it should become: size bytes from `at` on, of which the first
// `have` are already copied.
struct wanted_piece {
	copied_piece	*piece = nullptr;
	std::uint64_t	 at = 0;
	std::size_t	 size = 0;
	std::size_t	 have = 0;	// 0: a new piece begins

	std::uint64_t from() const noexcept { return at + have; }
	std::size_t missing() const noexcept { return size - have; }
};

// A stack with frames of up to this size is copied in one piece.
inline constexpr std::size_t piece_near = 1 << 20;

inline bool
is_behind(const copied_piece &p, std::uint64_t wanted) noexcept
{
	const std::uint64_t end = p.at + p.bytes.size();
	return p.more && wanted >= end - std::min<std::uint64_t>(8,
	    p.bytes.size()) && wanted - p.at < p.bytes.size() + piece_near;
}

inline wanted_piece
piece_grown(copied_piece &p, std::uint64_t wanted) noexcept
{
	const std::size_t have = p.bytes.size();
	return {&p, p.at, std::max<std::size_t>(2 * have, wanted - p.at + have),
	    have};
}

inline wanted_piece
piece_anew(copied_piece &p, std::uint64_t wanted, std::size_t below,
    std::size_t size) noexcept
{
	return {&p, wanted - std::min<std::uint64_t>(below, wanted), size, 0};
}

// Gives the piece that starts at a new place, because no piece leads to the
// address.  Places that are near each other share one piece; it then grows.
inline copied_piece &
piece_for(user_copy &copy, std::uint64_t wanted) noexcept
{
	for (copied_piece *p : {&copy.other, &copy.further[0],
	    &copy.further[1]})
		if (p->bytes.size() == 0 || p->at - wanted < piece_near)
			return *p;
	return copy.other;
}

// The bytes of a thread that a route has read.
struct fetched {
	int		error;	// 0; or errno: then the copy is not changed
	std::size_t	size;	// 0: there is no memory
	bool		more;	// memory after the last byte is not read
};

// Reads the missing bytes of a piece by fetch(from, to, size).  That returns
// what it has fetched.  0; EFAULT: wanted is not among the bytes; ENOMEM; or
// the error of fetch.  On failure p is unchanged.
template <class Fetch>
int
fetch_piece(const wanted_piece &p, std::uint64_t wanted, Fetch &fetch) noexcept
{
	byte_buffer fresh;
	byte_buffer &to = p.have != 0 ? p.piece->bytes : fresh;
	if (!to.resize(p.size))
		return ENOMEM;
	const fetched got = fetch(p.from(), to.data() + p.have, p.missing());
	const std::size_t now = p.have + got.size;
	const bool reached = got.error == 0 && got.size > 0 &&
	    wanted - p.at < now;
	to.resize(reached ? now : p.have);
	if (!reached)
		return got.error != 0 ? got.error : EFAULT;
	if (p.have == 0) {
		if (!p.piece->bytes.resize(now))
			return ENOMEM;
		std::memcpy(p.piece->bytes.data(), fresh.data(), now);
		p.piece->at = p.at;
	}
	p.piece->more = got.more;
	return 0;
}

// Does the work of copying_route::extend_copy() for a route that has fetch.
// below: as much as the red zone.  first: the size of a piece at a new place.
template <class Fetch>
int
fetch_more(user_copy &copy, std::uint64_t wanted, std::size_t below,
    std::size_t first, Fetch fetch) noexcept
{
	int error = EFAULT;
	for (copied_piece *p : copy.pieces())
		if (error == EFAULT && is_behind(*p, wanted))
			error = fetch_piece(piece_grown(*p, wanted), wanted,
			    fetch);
	// The memory may begin just at the wanted address.
	for (const std::size_t n : {below, std::size_t{0}})
		if (error == EFAULT)
			error = fetch_piece(piece_anew(piece_for(copy, wanted),
			    wanted, n, first), wanted, fetch);
	return error;
}

} // namespace stack9
