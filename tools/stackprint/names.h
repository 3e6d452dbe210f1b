// Names of kernel addresses, each asked for once: a machine's threads wait in
// few places.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace stackprint {

struct place {
	bool		known;
	std::string	function;	// escaped; "" when not known
	std::string	text;		// function+0xoffset  [module]
};

class names {
public:
	// exact: pc is a pc, not a return address.
	const place &find(std::uintptr_t pc, bool exact);

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
