// Finds the lines of positions in bytecode.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "heap.h"

namespace stack9::languages::javascript {

// Keeps what was read of the scripts of one stack.
class scripts {
public:
	explicit scripts(heap &h) noexcept : heap_(h) {}

	// Gives the name of a script: a path, or a URL, or "<anonymous>".
	const std::string &name_of(tagged script);

	// Gives the line of an offset in bytecode; 0: it is not known.  V8 has
	// no positions of a function until a stack with it was asked for, as
	// an exception does.
	std::uint32_t line_of(tagged script, tagged bytecode,
	    std::int32_t offset);

private:
	struct script {
		std::string			name;
		std::int32_t			first_line = 0;
		std::vector<std::uint32_t>	line_ends;
	};

	const script &read(tagged);
	void find_line_ends(tagged, script &);
	bool take_line_ends(tagged, script &);

	heap				&heap_;
	std::map<tagged, script>	scripts_;
};

} // namespace stack9::languages::javascript
