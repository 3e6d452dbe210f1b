// Declares what a space without a process knows of files and of its addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "build_id_files.h"

namespace stack9::process {

struct place_table {
	explicit place_table(std::vector<std::string> paths)
	    : files(std::move(paths)) {}

	static constexpr std::size_t most = 4096;	// files

	std::mutex	lock;		// of the rest
	build_id_files	files;
	// Where the addresses of a file begin, by its build-id and path.
	std::map<std::pair<build_id_bytes, std::string>, std::uint64_t>
			stretches;
};

} // namespace stack9::process
