// Numbers the stacks of a segment and what they are made of.  A stack that came
// before is found by its addresses, and is not named again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include <stack9.h>
#include <stack9_frames.h>

#include "tools/lib/samples.h"
#include "tools/model/frame_table.h"
#include "tools/record/model.h"

namespace stackrecord {

// Addresses whose numbers are known: of a process as long as it maps the same,
// or of the kernel.
struct known_addresses {
	struct stack {
		std::vector<std::uint64_t> pcs;
		std::string	written;	// all of its functions
		std::int32_t	error, why;
		std::uint32_t	flags, dropped;
		std::uint32_t	number;
	};
	std::unordered_multimap<std::uint64_t, stack> stacks;	// by hash
};

struct known_process : known_addresses {
	pid_t		pid = 0;
	std::uint32_t	number = 0;		// in the segment
	tools::unique_space space;
	std::unordered_map<std::uint32_t, std::uint64_t> bases;	// of modules
	std::uint64_t	seen = 0;		// tick

	void	maps(stack9_space *);
};

class tables {
public:
	// name_later: no name is looked for that a file may give later.
	explicit tables(bool name_later) : name_later_(name_later) {}

	// Forgets all: another segment begins.
	void	clear();

	bool	is_full() const;
	// True if a name was withheld because rights were missing.
	bool	names_hidden() const { return names_hidden_; }

	// Gives the number of a stack, and adds what is new to the tick.
	std::uint32_t	number_of(const stack9_stack &, known_process &,
			    recording::tick &);
	std::uint32_t	number_of(recording::wait &&, recording::tick &);
	std::uint32_t	number_of(const recording::event &, recording::tick &);

private:
	struct naming;

	std::uint32_t	find(const known_addresses &, const stack9_stack &)
			    const;
	std::uint32_t	module_of(const tools::frame &);
	std::uint32_t	number_of(const tools::frame &, std::uint32_t module);
	std::uint32_t	put_stack(recording::stack &&);
	void		name(const stack9_stack &, known_process &,
			    recording::stack &);
	void		put(naming &, const stack9_frame &);
	static int	add_frame(void *, const stack9_frame *) noexcept;
	static int	add_place(void *, const stack9_frame *) noexcept;

	recording::tick	*tick_ = nullptr;
	known_addresses	 kernel_;
	std::unordered_map<std::string, std::uint32_t> modules_, stacks_,
	    waits_, events_;
	std::deque<tools::frame>		all_frames_;
	tools::frame_table	frames_{all_frames_, tools::precision::all};
	std::vector<recording::module>		kept_modules_;
	std::vector<recording::identity>	frame_ids_;
	std::size_t	frame_numbers_ = 0, text_ = 0;
	bool		names_hidden_ = false;
	const bool	name_later_;
};

} // namespace stackrecord
