// Asks once for each file of an earlier snapshot whether it is the same by now.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>

#include "mapping.h"
#include "written_over.h"

namespace stack9::process {

class seen_files {
public:
	// A file that was written over is another one, although the mapping is
	// the same.  Throws std::bad_alloc.
	bool
	is_of_now(const mapping &m)
	{
		const file *const f = m.backing.get();
		if (f == nullptr)
			return true;
		const auto [at, is_new] = known_.try_emplace(f, true);
		if (is_new)
			at->second = !is_another_program(*f);
		return at->second;
	}

private:
	std::map<const file *, bool>	known_;
};

} // namespace stack9::process
