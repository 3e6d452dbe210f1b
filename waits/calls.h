// Names system calls by their numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::waits {

// "" if the number is newer than the headers that this was built with.
const char *call_name(std::int64_t number) noexcept;
// How many arguments it has; 6 if that is not known.
std::uint32_t call_arguments(std::int64_t number) noexcept;

} // namespace stack9::waits
