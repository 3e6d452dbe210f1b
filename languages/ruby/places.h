// Says what the file of a runtime has for the walk.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "languages/symbols.h"
#include "process/file.h"

namespace stack9::languages::ruby {

// By addresses of its image.
struct places final : process::attachment {
	found_symbol	machine;	// ruby_current_vm_ptr
	// The data that the program writes to, and the size of what each thread
	// has of its own.
	std::uint64_t	data = 0, data_size = 0, thread_size = 0;
	// Where the table of names was found last: a hint, as another process
	// may have anything there.
	mutable std::atomic<std::uint64_t> names{0};
	// An instruction of the loop, once one is known.
	mutable std::atomic<std::uint64_t> loop{0};
};

// Throws std::bad_alloc.
std::unique_ptr<process::attachment> find_places(process::file &);

} // namespace stack9::languages::ruby
