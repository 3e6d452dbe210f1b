// Keeps the text of each stack: the same few stacks come again and again, and
// making their text takes longer than all else together.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_set>

#include <stack9_watch.h>

namespace stacksnoop {

class stack_texts {
public:
	// NULL: the text of this sample's stacks is not kept.
	const std::string	*find(const stack9_sample &) const;
	const std::string	&keep(const stack9_sample &, std::string &&);

	// True if so many are kept that it is time to forget them.
	bool	full() const { return texts_.size() >= most; }
	void	forget() { texts_.clear(); }

private:
	static constexpr std::size_t most = 1 << 14;

	struct stacks {
		std::shared_ptr<const stack9_sample> of;
		std::string	text;
	};
	struct hash {
		using is_transparent = void;
		std::size_t operator()(const stack9_sample &) const;
		std::size_t
		operator()(const stacks &s) const
		{
			return (*this)(*s.of);
		}
	};
	struct equal {
		using is_transparent = void;
		bool operator()(const stack9_sample &, const stacks &) const;
		bool
		operator()(const stacks &a, const stacks &b) const
		{
			return (*this)(*a.of, b);
		}
	};

	std::unordered_set<stacks, hash, equal> texts_;
};

} // namespace stacksnoop
