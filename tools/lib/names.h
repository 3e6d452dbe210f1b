// Names of kernel addresses, each asked for once: a machine's threads wait in
// few places.
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
	std::string	function;	// as it came; "" when not known
	std::uintptr_t	offset;
	std::string	module;		// as it came
	std::string	text;		// for a terminal: name+0xoffset  [mod]
};

class names {
public:
	// exact: pc is a pc, not a return address.  What is returned stays
	// where it is.
	const place &find(std::uintptr_t pc, bool exact);

	// Asks for all of a stack's now, while there are rights to.
	void ask(const stack9_record &);

	// Some name was withheld for want of rights, not for want of a name.
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
