// Reads what a code object says of its function: the name, the file, and the
// line of a position.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "layout.h"

namespace stack9::languages::python {

struct code_object {
	std::uint64_t	at = 0;
	std::string	name, file;	// "orders.Shop.reserve" has no module
	std::string	lines;		// the bytes of its table of lines
	std::uint32_t	first_line = 0;
};

// False: there is no code object.
bool read_code(unwind::memory &, const layout &, std::uint64_t at,
    code_object &);

// The places that a code object led to when it was read last, by which all of
// them are read at once the next time.  They are read each time: memory of a
// code object that was freed may be another's now.
class code_places final : public process::attachment {
public:
	// Reads the code objects at these addresses, and what they lead to,
	// ahead of read_code().  Throws std::bad_alloc.
	void prefetch(memory &, const layout &,
	    const std::vector<std::uint64_t> &codes);

private:
	struct places {
		memory::range	name, file, lines;
	};

	static bool find(memory &, const layout &, std::uint64_t code,
	    places &);

	std::mutex	lock_;
	std::unordered_map<std::uint64_t, places> all_;	// by code object
};

// Gives the line of a position: what its release keeps in a frame.  0: the code
// there is of no line, or the position is not in this code.
std::uint32_t line_of(unwind::memory &, const layout &, const code_object &,
    std::uint64_t position, std::uint64_t thread_code_index);

} // namespace stack9::languages::python
