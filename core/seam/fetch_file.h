// Declares how files are fetched from the servers of $DEBUGINFOD_URLS.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "os/unique_fd.h"

namespace stack9 {

enum class file_kind {
	debug,		// symbols and lines
	program		// what is run: a program or a library
};

// Asks the servers, in this process.  This may take long.  Returns no file if
// there is no server, no libdebuginfod, or no such file.
unique_fd fetch_by_id(std::span<const unsigned char> build_id, file_kind)
    noexcept;

} // namespace stack9
