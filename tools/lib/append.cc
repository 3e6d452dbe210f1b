// Formats for append.h, in the one file that has fmt's formatting compiled in.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "append.h"

#include <iterator>

namespace stackprint {

void
append_args(fmt::memory_buffer &out, fmt::string_view text,
    fmt::format_args args)
{
	fmt::vformat_to(std::back_inserter(out), text, args);
}

} // namespace stackprint
