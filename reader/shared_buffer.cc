// Lays out questions and answers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "shared_buffer.h"

#include <algorithm>
#include <cstring>

namespace stack9::sandbox {
namespace {

constexpr std::size_t
rounded(std::size_t n) noexcept
{
	return (n + 15) & ~std::size_t{15};
}

} // namespace

std::byte *
shared_buffer::next(std::uint64_t bytes_of_pieces, std::uint64_t max,
    std::uint64_t written) noexcept
{
	if (bytes_of_pieces > size || max > size / sizeof(std::uintptr_t) ||
	    written > size)
		return nullptr;
	const std::size_t n = rounded(std::max(sizeof(walk_question) +
	    bytes_of_pieces, sizeof(walk_answer) + max *
	    sizeof(std::uintptr_t) + written));
	if (n > room - used_)
		return nullptr;
	used_ += n;
	return at_ + used_ - n;
}

void
put_question(std::byte *to, const walk_question &q,
    const user_copy &copy) noexcept
{
	std::memcpy(to, &q, sizeof q);
	std::byte *at = to + sizeof q;
	for (const copied_piece *const piece : copy.pieces()) {
		if (piece->bytes.size() != 0)
			std::memcpy(at, piece->bytes.data(),
			    piece->bytes.size());
		at += piece->bytes.size();
	}
}

void
put_answer(std::byte *to, const stack_record &rec, space_walk how,
    std::uint64_t wanted) noexcept
{
	walk_answer a{how, rec.why, wanted, rec.flags, rec.dropped, rec.depth,
	    0, ""};
	if (rec.reason != nullptr)
		std::strncpy(a.reason, rec.reason, sizeof a.reason - 1);
	std::memcpy(to, &a, sizeof a);
}

void
put_written(std::byte *to, std::uint32_t depth,
    std::span<const std::byte> bytes) noexcept
{
	walk_answer a;
	std::memcpy(&a, to, sizeof a);
	a.written = static_cast<std::uint32_t>(bytes.size());
	std::memcpy(to, &a, sizeof a);
	std::memcpy(frames_of(to) + depth, bytes.data(), bytes.size());
}

bool
take_question(const std::byte *from, walk_question &q, user_copy &copy) noexcept
{
	std::memcpy(&q, from, sizeof q);
	from += sizeof q;
	copy.what = q.what;
	copy.value = q.value;
	copy.known = q.known;
	for (std::size_t i = 0; i < q.pieces.size(); i++) {
		copied_piece &to = *copy.pieces()[i];
		to.at = q.pieces[i].at;
		to.more = q.pieces[i].more;
		if (!to.bytes.resize(q.pieces[i].size))
			return false;
		if (to.bytes.size() != 0)
			std::memcpy(to.bytes.data(), from, to.bytes.size());
		from += to.bytes.size();
	}
	return true;
}

} // namespace stack9::sandbox
