// Puts parts one after the other.  A page that was not read ends a run of
// bytes, and each run becomes a piece of the copy, so that a walk never takes
// for the stack's what is not.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stack_parts.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stack9::events {
namespace {

// Calls use(address, bytes, size) for each run of a part.  False: use said so.
template <class Use>
bool
each_run(const s9_event_copy &part, Use use)
{
	constexpr std::uint32_t page = 4096;	// the program's S9_PAGE
	const s9_user &u = part.user;
	const auto *const bytes = reinterpret_cast<const std::byte *>(
	    part.bytes);
	if (part.head.missing == 0)
		return u.bytes == 0 || use(u.from, bytes, u.bytes);
	const auto skew = static_cast<std::uint32_t>(u.from % page);
	std::uint32_t begin = 0;
	for (std::uint32_t i = 0; begin < u.bytes; i++) {
		const std::uint32_t end = std::min(u.bytes,
		    (i + 1) * page - skew);
		if (!(part.head.missing >> i & 1) &&
		    !use(u.from + begin, bytes + begin, end - begin))
			return false;
		begin = end;
	}
	return true;
}

// Fills one piece after the other.
class joined {
public:
	explicit joined(user_copy &to) noexcept
	    : pieces_{&to.stack, &to.behind[0], &to.behind[1], &to.other} {}

	// False: no memory.
	bool
	add(std::uint64_t at, const std::byte *bytes, std::size_t n) noexcept
	{
		copied_piece *p = pieces_[last_];
		const std::size_t have = p->bytes.size();
		if (have != 0 && p->at + have != at) {
			if (last_ + 1 == pieces_.size())
				return true;
			p = pieces_[++last_];
			return fill(*p, 0, at, bytes, n);
		}
		return fill(*p, have, have == 0 ? at : p->at, bytes, n);
	}

private:
	static bool
	fill(copied_piece &p, std::size_t have, std::uint64_t at,
	    const std::byte *bytes, std::size_t n) noexcept
	{
		if (!p.bytes.resize(have + n))
			return false;
		std::memcpy(p.bytes.data() + have, bytes, n);
		p.at = at;
		return true;
	}

	std::array<copied_piece *, 4> pieces_;
	std::size_t	last_ = 0;
};

} // namespace

void
stack_parts::add(const s9_event_copy &part)
{
	rest &r = by_scratch_[part.head.scratch];
	if (r.when_ns != part.head.when_ns) {
		r.bytes.clear();
		r.runs.clear();
	}
	r.when_ns = part.head.when_ns;
	each_run(part, [&](std::uint64_t at, const std::byte *bytes,
	    std::size_t n) {
		r.runs.push_back({at, r.bytes.size(), n});
		r.bytes.insert(r.bytes.end(), bytes, bytes + n);
		return true;
	});
}

bool
stack_parts::join(const s9_event_copy &event, user_copy &to) noexcept
{
	joined j(to);
	if (!each_run(event, [&](std::uint64_t at, const std::byte *bytes,
	    std::size_t n) { return j.add(at, bytes, n); }))
		return false;
	if (to.stack.bytes.size() == 0)
		to.stack.at = event.user.from;
	const auto at = by_scratch_.find(event.head.scratch);
	if (at == by_scratch_.end() ||
	    at->second.when_ns != event.head.when_ns)
		return true;
	rest &r = at->second;
	r.when_ns = 0;
	return std::all_of(r.runs.begin(), r.runs.end(), [&](const run &p) {
		return j.add(p.at, r.bytes.data() + p.offset, p.size);
	});
}

} // namespace stack9::events
