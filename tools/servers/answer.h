// Declares what a server answered.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>

namespace servers {

inline constexpr std::size_t most_body = 65'536;
// The longest time for a request.
inline constexpr int request_ms = 60'000;

struct answer {
	int		status = 0;	// of HTTP; 0: none came
	std::string	body;		// its first 64 KiB
	std::string	error;		// why none came
	unsigned int	retry_after = 0; // seconds; 0: the server does not say

	bool is_good() const { return status / 100 == 2; }
	// The server may take the same later: it is not there, it is busy, or
	// it gave up waiting for another one.
	bool
	may_pass_later() const
	{
		return status == 0 || status == 408 || status == 429 ||
		    status / 100 == 5;
	}
	// A sentence for people.
	std::string	text() const;
};

} // namespace servers
