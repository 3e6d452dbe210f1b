// Sends requests of HTTP by libcurl, which is loaded when the first one is to
// be sent: linked to the programs, it would make each start slower.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "address.h"

namespace servers {

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

class http {
public:
	http();
	~http();
	http(const http &) = delete;
	http &operator=(const http &) = delete;

	// Returns "" or what helps.
	std::string	open();
	answer	post(const address &, const std::string &path,
		    const std::vector<std::string> &headers,
		    std::string_view body);

private:
	struct connection;
	std::unique_ptr<connection> connection_;
};

// Compresses a body: makes a gzip file (RFC 1952).  It throws std::bad_alloc.
std::string compressed(std::string_view);

} // namespace servers
