// Says what a server answered.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "answer.h"
#include "tools/lib/text.h"

namespace servers {

// A server's body is text in most cases, and may be anything.
std::string
answer::text() const
{
	constexpr std::size_t enough = 300;
	if (status == 0)
		return error;
	return fmt::format("HTTP status {}{}{}", status,
	    body.empty() ? "" : ": ",
	    tools::printable(body.substr(0, enough)));
}

} // namespace servers
