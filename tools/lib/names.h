// Remembers the names of kernel addresses, so that each is asked for once: the
// threads of a machine wait in few places.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include <stack9.h>

namespace stackprint {

struct place {
	std::uintptr_t	pc;
	bool		known;
	std::string	function;	// with any bytes; "": not known
	std::uintptr_t	offset;
	std::string	module;		// with any bytes
	std::string	text;		// for a terminal: name+0xoffset  [mod]
};

class names {
public:
	// exact: pc is a pc, not a return address.  The place that is returned
	// never moves.
	const place &find(std::uintptr_t pc, bool exact);

	// Asks for the names of a whole stack now, while the program has the
	// rights.
	void ask(const stack9_record &);

	// True if a name was withheld because rights were missing.
	bool
	hidden() const
	{
		return hidden_;
	}

private:
	std::unordered_map<std::uintptr_t, place> places_[2];
	bool hidden_ = false;
};

} // namespace stackprint
