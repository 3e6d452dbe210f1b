// Refuses to send anything, in a program that is one static file: it can load
// no libcurl, and not all that libcurl needs has an archive.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "http.h"
#include "tools/lib/program.h"

namespace servers {

http::~http() = default;

std::string
http::open()
{
	return fmt::format("it is sent by libcurl, and {}; what helps: write a "
	    "file here (-o), and send it from a machine that has the "
	    "package stack9-tools", tools::one_file);
}

answer
http::post(const address &, const std::string &,
    const std::vector<std::string> &, std::string_view)
{
	answer none;
	none.error = open();
	return none;
}

} // namespace servers
