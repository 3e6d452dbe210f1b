// Sends requests of HTTP by a process of its own, because the answers come from
// strangers, and TLS is spoken by libraries of other people.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "address.h"
#include "answer.h"
#include "os/unique_fd.h"
#include "secrets.h"
#include "tools/profiles/formats.h"

namespace servers {

class http {
public:
	http() = default;
	~http();
	http(const http &) = delete;
	http &operator=(const http &) = delete;

	// Starts the process.  This is best done before there are threads and
	// secrets.  Returns "" or what helps.
	std::string	open();
	answer	post(const address &, const std::string &path,
		    const std::vector<std::string> &headers,
		    std::string_view body);

private:
	answer	receive(std::uint64_t number);

	secrets		secret_;
	stack9::unique_fd socket_;
	pid_t		pid_ = -1;
	std::uint64_t	number_ = 0;	// of the last request
};

// Compresses a body.  The network is seldom so slow that more than level 1 pays
// for its CPU time.
inline std::string
compressed(std::string_view bytes)
{
	return profiles::gzip(bytes, 1);
}

} // namespace servers
