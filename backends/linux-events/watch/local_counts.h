// Counts stacks in this process: those for which the kernel's tables were full,
// and those that had to be unwound first.  Stacks are counted by their whole
// identity, as they are in the kernel's tables.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#define	XXH_INLINE_ALL
#include <xxhash.h>

#include "backends/linux-events/programs/event_record.h"
#include "sides.h"
#include "written_table.h"

namespace stack9::events {

// The end of a user side that was unwound; unwound 0: the kernel walked it.
struct unwound_end {
	std::uint32_t	unwound = 0;
	std::uint32_t	error = 0;
	std::uint32_t	why = 0;
	std::uint32_t	flags = 0;
	std::uint32_t	depth = 0;
	std::uint32_t	dropped = 0;
	std::uint32_t	written = 0;	// frames of runtimes
	std::uint32_t	lacking = 0;	// others are not known
	const char	*reason = nullptr;
	stack9_space	*space = nullptr;	// the version of its process's
};

// Writes two stacks and all in which they may differ from others as one string
// of bytes: the heads, the kernel's frames, the user's frames, those of
// runtimes.
class identity {
public:
	void set(const s9_stacks &, const __u64 *pcs);
	void set(const s9_stacks &, const __u64 *kernel_pcs,
	    const stack_record &user, const woven_frames &);

	const std::string &bytes() const noexcept { return bytes_; }

private:
	void	put(const void *from, std::size_t size);

	std::string bytes_;
};

// Shows the parts of an identity again.
struct identity_view {
	explicit identity_view(std::string_view) noexcept;

	s9_stacks			stacks;
	unwound_end			end;
	const __u64			*kernel;
	const __u64			*user;
	const woven_frame		*written;
};

class local_counts {
public:
	void
	add(const std::string &identity, const s9_count &more)
	{
		const auto [it, fresh] = all_.try_emplace(identity);
		s9_count &c = it->second;
		if (fresh)
			bytes_ += identity.size();
		c.events += more.events;
		c.weight_ns += more.weight_ns;
		events_ += more.events;
	}

	std::size_t stacks() const noexcept { return all_.size(); }
	std::uint64_t events() const noexcept { return events_; }
	// The bytes of all stacks.
	std::size_t bytes() const noexcept { return bytes_; }

	template <typename Fn>
	int
	each(Fn fn) const
	{
		for (const auto &[identity, count] : all_)
			if (const int error = fn(identity, count); error != 0)
				return error;
		return 0;
	}

private:
	struct hash {
		std::size_t operator()(const std::string &s) const noexcept
		{
			return XXH3_64bits(s.data(), s.size());
		}
	};

	std::unordered_map<std::string, s9_count, hash> all_;
	std::uint64_t	events_ = 0;
	std::size_t	bytes_ = 0;
};

} // namespace stack9::events
