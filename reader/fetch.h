// Declares how files are fetched by a process of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "core/seam/fetch_file.h"

namespace stack9::sandbox {

// As fetch_by_id(), in a process without capabilities and without our
// descriptors, because libdebuginfod speaks with servers.
unique_fd fetch_apart(std::span<const unsigned char> build_id, file_kind)
    noexcept;

} // namespace stack9::sandbox
