// Adds up weights by three numbers: of an hour of 1,000 threads that always run
// there are millions, for which a node each would take most of the time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace stackreport {

struct counted {
	std::uint32_t	kernel = 0, user = 0, comm = 0;	// comm: + 1; 0 is free
	std::uint64_t	weight = 0, events = 0;

	bool
	is(const counted &c) const
	{
		return kernel == c.kernel && user == c.user && comm == c.comm;
	}
};

class counts {
public:
	void
	add(const counted &c)
	{
		if (2 * used_ >= places_.size())
			grow();
		counted &to = place(c);
		if (to.comm == 0) {
			to = c;
			used_++;
			return;
		}
		to.weight += c.weight;
		to.events += c.events;
	}

	std::size_t	size() const { return used_; }

	// Gives all of them, in the order of their hashes, and forgets them.
	std::vector<counted>
	take()
	{
		std::erase_if(places_,
		    [](const counted &c) { return c.comm == 0; });
		used_ = 0;
		return std::exchange(places_, {});
	}

private:
	// The next free place is taken: at most half of them are used.
	counted &
	place(const counted &c)
	{
		const std::uint64_t hash = (c.kernel * 0x9e3779b97f4a7c15 ^
		    c.user * 0xc2b2ae3d27d4eb4f ^ c.comm) * 0x9e3779b97f4a7c15;
		std::size_t at = hash >> shift_;
		while (places_[at].comm != 0 && !places_[at].is(c))
			at = (at + 1) & (places_.size() - 1);
		return places_[at];
	}
	void
	grow()
	{
		const std::size_t more = places_.empty() ? 1024 :
		    places_.size() * 2;
		const std::vector<counted> before = std::exchange(places_,
		    std::vector<counted>(more));
		shift_ = 64 - std::countr_zero(more);
		for (const counted &c : before)
			if (c.comm != 0)
				place(c) = c;
	}

	std::vector<counted>	places_;
	std::size_t		used_ = 0;
	int			shift_ = 64;
};

} // namespace stackreport
