// Formats for append.h by the function that fmt's library has.  vformat_to()
// would be compiled here, for five seconds.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "append.h"

namespace stackprint {

void
append_args(fmt::memory_buffer &out, fmt::string_view text,
    fmt::format_args args)
{
	append_text(out, fmt::vformat(text, args));
}

} // namespace stackprint
