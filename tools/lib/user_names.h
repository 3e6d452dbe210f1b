// Remembers the names of user addresses, so that each is asked for once a
// process: threads of a process have most of their frames in common.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <stack9.h>

#include "modules.h"
#include "stacks.h"

namespace stackprint {

// A function at a line, as the debug information has it.
struct source {
	std::string	function;	// with any bytes
	std::string	demangled;	// as in the source; or as it came
	std::string	shown;		// one of the two, for a terminal
	std::string	file;		// with any bytes; "": not known
	std::string	site;		// file:line, for a terminal; or ""
	unsigned int	line, column;
	bool		inlined;
};

struct user_place {
	std::uintptr_t	pc;
	std::string	function;	// with any bytes; "": not known
	std::string	demangled;	// as in the source; or as it came
	std::uintptr_t	offset;
	std::uint64_t	vaddr;		// in the file; 0: none
	const module	*where;		// or NULL
	std::vector<source> inlines;	// calls inlined here, innermost first
	source		 own;		// the function itself, for its line
	std::string	 text;		// name+0xoffset, or "" when not known
	std::string	 file_text;	// the module's name

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

class user_names {
public:
	explicit user_names(const name_options &);

	// Keeps space open from now on.  exact: pc is no return address.  The
	// place that is returned never moves.
	const user_place &find(stack9_space *space, std::uintptr_t pc,
	    bool exact);

private:
	struct key {
		const stack9_space	*space;
		std::uintptr_t		 pc;
		bool			 exact;
		bool operator==(const key &) const = default;
	};
	struct hash {
		std::size_t operator()(const key &) const;
	};

	void	make(user_place &, stack9_space *, std::uintptr_t, bool exact);
	void	name(user_place &, stack9_space *, unsigned int flags);
	void	lines(user_place &, stack9_space *, unsigned int flags);
	std::string	for_people(const std::string &function,
			    const std::string &demangled) const;
	source	made_of(const stack9_line &) const;
	void	hold(stack9_space *);

	static int	add_line(void *, const stack9_line *) noexcept;

	const name_options	&opt_;
	modules		modules_;
	std::unordered_map<key, user_place, hash> places_;
	std::unordered_map<const stack9_space *, unique_space> spaces_;
	const stack9_space *last_space_ = nullptr;
};

} // namespace stackprint
