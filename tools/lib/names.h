// Remembers the names of addresses, so that each is asked for once a process:
// threads of a process have most of their frames in common, and the threads of
// a machine wait in few places of the kernel.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <stack9.h>

#include "modules.h"
#include "samples.h"
#include "tools/model/frame.h"

namespace tools {

// A frame at an address of a process, and how a terminal shows it.
struct place {
	struct shown {
		std::string	name;	// "??": not known
		std::string	site;	// file:line; or ""
	};

	std::uint64_t	pc = 0;
	bool		exact = false;	// pc is not a return address
	const struct module *where = nullptr;	// in a process
	// The calls that are inlined here, innermost first, then the function.
	std::vector<frame> frames;
	std::vector<shown> as_shown;
	std::string	text;		// name+0xoffset, or "" when not known;
					// in the kernel with the module
	std::string	file_text;	// the module's name, in a process

	const frame	&own() const { return frames.back(); }
	bool	known() const { return !own().name.empty(); }
};

// Says which names are wanted and how they are shown.
struct name_options {
	bool	inlines = false;
	bool	lines = false;
	bool	addresses = false;
	bool	raw_names = false;
	bool	debuginfod = false;
};

class names {
public:
	explicit names(const name_options &o) : opt_(o) {}

	// Names frame i of a stack that has addresses, and keeps its space open
	// from now on.  The place that is returned never moves.
	const place	&find(const stack &, std::uint32_t i);

	// Gives the frames of a stack that has addresses as they are shown,
	// innermost first: functions of languages, and native frames but those
	// that only run them; all of these too if addresses are shown.
	void	of_stack(const stack &, std::vector<const place *> &);

	// Takes the frame of an address in a process that the library does not
	// know: it is asked for no address that was given here.
	void	remember(const void *process, std::uint64_t pc, bool exact,
		    frame &&);

	// Asks for the names of a whole stack now, while the program has the
	// rights.
	void	ask(const stack &);

	// True if a name was withheld because rights were missing.
	bool
	hidden() const
	{
		return hidden_;
	}

	// Calls f(module, is_nameless) for each file that a frame was in: at
	// least once, and more often if it has several frames.
	template <class F>
	void
	each_module(F f) const
	{
		for (const auto &[at, p] : places_)
			if (p.where != nullptr && !p.where->path.empty())
				f(*p.where, !p.known());
	}

private:
	struct key {
		const void	*process;	// NULL: the kernel, or this
						// program
		std::uint64_t	 pc;
		bool		 exact;
		bool operator==(const key &) const = default;
	};
	struct hash {
		std::size_t operator()(const key &) const;
	};
	struct making;

	const place	&at(const stack &, std::uint32_t i, bool exact);
	const place	&written(const stack9_written &);
	bool	was_interrupted(const stack &, std::uint32_t i);
	void	make(place &, stack9_space *, std::uint64_t, bool exact);
	void	show(place &, const void *process);
	place::shown	shown(const frame &) const;
	void	hold(stack9_space *);

	static int	add_frame(void *, const stack9_frame *) noexcept;

	const name_options	&opt_;
	modules		modules_;
	std::unordered_map<key, place, hash> places_;
	std::unordered_map<std::string, place> written_;
	std::string	written_key_;
	std::unordered_map<const stack9_space *, unique_space> spaces_;
	const stack9_space *last_space_ = nullptr;
	bool		hidden_ = false;
};

} // namespace tools
