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

namespace tools {

// A function at a line, as the debug information has it.
struct source {
	std::string	function;	// with any bytes
	std::string	demangled;	// as in the source; or as it came
	std::string	shown;		// one of the two, for a terminal
	std::string	file;		// with any bytes; "": not known
	std::string	site;		// file:line, for a terminal; or ""
	unsigned int	line = 0, column = 0;
};

struct place {
	std::uint64_t	pc = 0;
	bool		exact = false;	// pc is no return address
	bool		signal = false;	// the next frame was interrupted
	std::string	function;	// with any bytes; "": not known
	std::string	demangled;	// as in the source; or as it came
	std::uint64_t	offset = 0;
	std::string	module;		// of the kernel, with any bytes
	std::uint64_t	vaddr = 0;	// in the file; 0: none
	const struct module *where = nullptr;	// in a process
	std::vector<source> inlines;	// calls inlined here, innermost first
	source		own;		// the function itself, for its line
	std::string	text;		// name+0xoffset, or "" when not known;
					// in the kernel with the module
	std::string	file_text;	// the module's name, in a process

	bool known() const { return !function.empty(); }
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
	const place	&find(const stack9_stack &, std::uint32_t i);

	// Takes the name of a recorded address.  space is only compared, and no
	// address of it may be asked for that was not given here.
	void	remember(stack9_space *space, const stack9_frame &, bool exact);

	// Asks for the names of a whole stack now, while the program has the
	// rights.
	void	ask(const stack9_stack &);

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
		const stack9_space	*space;	// NULL: the kernel, or this
						// program
		std::uint64_t		 pc;
		bool			 exact;
		bool operator==(const key &) const = default;
	};
	struct hash {
		std::size_t operator()(const key &) const;
	};
	struct making;

	const place	&at(stack9_space *, std::uint64_t pc, bool exact);
	bool	was_interrupted(const stack9_stack &, std::uint32_t i);
	void	make(place &, stack9_space *, std::uint64_t, bool exact);
	void	fill_in(place &, stack9_space *, const stack9_frame &);
	source	source_of(const stack9_frame &) const;
	void	hold(stack9_space *);

	static int	add_frame(void *, const stack9_frame *) noexcept;

	const name_options	&opt_;
	modules		modules_;
	std::unordered_map<key, place, hash> places_;
	std::unordered_map<const stack9_space *, unique_space> spaces_;
	const stack9_space *last_space_ = nullptr;
	bool		hidden_ = false;
};

} // namespace tools
