// Has the frames of languages' runtimes reported by the programs, and their
// names read as long as their processes are there.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/seam/record.h"
#include "core/seam/user_copy.h"
#include "core/seam/written.h"

#include "backends/linux-events/programs/event_record.h"
#include "processes.h"
#include "written_table.h"

namespace stack9::events {

class reported_frames {
public:
	explicit reported_frames(written_table &table) : table_(table) {}

	// map: chains; -1: there is none, and only copies have frames.
	void
	open(bool wanted, int map) noexcept
	{
		wanted_ = wanted;
		map_ = map;
	}

	// Has the files of a process looked at before its first event: until
	// the programs know its frames, events lack them.  True if the programs
	// are to follow frames of its first thread on the heap.
	bool prepare(stack9_space &, pid_t);
	// Describes a process's frames to the programs, once for each set of
	// its mappings.  Returns true if the map of chains has got one.  Throws
	// std::bad_alloc, as all do.
	bool meet(const s9_space &, seen_process &);
	// Has the names read of functions that are new.
	void learn(seen_process &, std::span<const __u64> words);
	// Gives the frames of a user side, of which the programs have reported
	// these words.
	void weave(const stack_record &user, std::span<const __u64> words,
	    bool is_whole, woven_frames &);
	// Does so with a copy, to which runtimes may have more frames than the
	// walk of native code: these replace what that has found.
	void weave(const seen_process &, const user_copy &, stack_record &user,
	    std::span<const __u64> words, bool is_whole, woven_frames &);

private:
	struct hash {
		std::size_t
		operator()(const std::array<std::uint64_t, 2> &h) const noexcept
		{
			return h[0];
		}
	};

	// native may have other frames then.
	void ask(stack9_space &, const user_copy &, stack_record &native,
	    std::span<const __u64> words, std::uint64_t thread_pointer);
	void ask(stack9_space &, std::span<const __u64> words);
	bool publish(const s9_space &);

	written_table	&table_;
	bool		wanted_ = false;
	int		map_ = -1;
	std::deque<s9_space> published_;
	std::unordered_map<std::array<std::uint64_t, 2>, woven_frames, hash>
			woven_;
	user_copy	none_;
	written_stack	answer_;
	std::vector<std::uintptr_t> pcs_;
	std::vector<__u64> fresh_;
};

} // namespace stack9::events
