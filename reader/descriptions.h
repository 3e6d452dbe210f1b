// Keeps what the reader said of addresses until it is asked for.
//
// An answer takes some 10 us, most of it to wake the other process.  So when
// the first address of a stack is asked about, the answer describes all of
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace stack9::sandbox {

struct address {
	std::uint64_t	pc = 0;
	bool		return_address = false;

	std::uint64_t looked_up() const noexcept { return pc - return_address; }
	bool operator==(const address &) const = default;
};

struct line {
	std::string	function, file;
	unsigned int	number = 0, column = 0;
	bool		inlined = false;
};

// All that is known of an address; its lines only if they were asked for.
struct description {
	std::uint64_t	vaddr = 0;
	unsigned int	build_id_size = 0;
	unsigned char	build_id[32]{};
	int		error = 0;		// there is no name
	std::string	name, readable;
	std::uint64_t	offset = 0, size = 0;
	bool		has_name = false, has_lines = false;
	bool		has_rule = false;	// as may_end_signal() needs it
	std::uint32_t	rule = 0;
	std::vector<line> lines;
};

// Functions may throw std::bad_alloc.
class descriptions {
public:
	// The most addresses in one question.
	static constexpr std::size_t many = 256;

	// A stack of this snapshot has this address.
	void
	expect(std::uint64_t snapshot, const address &a)
	{
		address &last = last_[a.pc % std::size(last_)];
		if (last == a && last_snapshot_ == snapshot)
			return;
		if (last_snapshot_ != snapshot)
			std::fill(std::begin(last_), std::end(last_),
			    address{});
		last_snapshot_ = snapshot;
		last = a;
		if (seen_.size() >= most)
			forget();
		if (seen_.insert(of(snapshot, a)).second)
			expected_[snapshot].push_back(a);
	}

	// The addresses that are asked about with `first`, and it itself.
	std::vector<address>
	question(std::uint64_t snapshot, const address &first)
	{
		std::vector<address> all{first};
		const auto at = expected_.find(snapshot);
		if (at == expected_.end())
			return all;
		for (auto &rest = at->second; !rest.empty() &&
		    all.size() < many; rest.pop_back())
			if (!(rest.back() == first))
				all.push_back(rest.back());
		if (at->second.empty())
			expected_.erase(at);
		return all;
	}

	void
	add(std::uint64_t snapshot, const address &a, description &&d)
	{
		if (known_.size() >= most)
			forget();
		known_[of(snapshot, a)] = std::move(d);
	}

	// Gives a description once, because names of JIT code change.
	bool
	take(std::uint64_t snapshot, const address &a, description &to)
	{
		const auto at = known_.find(of(snapshot, a));
		if (at == known_.end())
			return false;
		to = std::move(at->second);
		known_.erase(at);
		return true;
	}

private:
	static constexpr std::size_t most = 1 << 16;

	struct key {
		std::uint64_t	snapshot;
		address		what;
		bool operator==(const key &) const = default;
	};
	struct hash {
		std::size_t
		operator()(const key &k) const noexcept
		{
			return (k.what.pc ^ k.snapshot << 44 ^
			    k.what.return_address) * 0x9e3779b97f4a7c15 >> 16;
		}
	};
	static key
	of(std::uint64_t snapshot, const address &a) noexcept
	{
		return {snapshot, a};
	}
	void
	forget() noexcept
	{
		seen_.clear();
		last_snapshot_ = 0;
		expected_.clear();
		known_.clear();
	}

	// Most stacks have the addresses of those before.
	address		last_[251]{};
	std::uint64_t	last_snapshot_ = 0;
	std::unordered_set<key, hash> seen_;
	std::unordered_map<std::uint64_t, std::vector<address>> expected_;
	std::unordered_map<key, description, hash> known_;
};

} // namespace stack9::sandbox
