// Declares the address spaces that the reader knows.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "os/unique_fd.h"
#include "process/file.h"
#include "process/space.h"

#include "message.h"

namespace stack9::sandbox {

class requests;

// Each throws std::bad_alloc.
class known_spaces {
public:
	void take_file(message &, unique_fd);
	void take_space(message &);
	// NULL: it was never sent, or is gone.
	stack9_space *
	find(std::uint64_t number)
	{
		const auto at = spaces_.find(number);
		return at == spaces_.end() ? nullptr : at->second.get();
	}
	// Reads what only memory has of the process.
	stack9_space &complete(std::uint64_t number, stack9_space &,
	    requests &);

private:
	std::map<std::uint32_t, std::shared_ptr<process::file>> files_;
	std::map<std::uint64_t, std::unique_ptr<stack9_space>> spaces_;
	std::set<std::uint64_t>	incomplete_;	// of them
};

} // namespace stack9::sandbox
