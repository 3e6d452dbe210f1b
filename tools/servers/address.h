// Reads the URLs of servers that take profiles and records.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace servers {

enum class service { otlp, pyroscope, parca, clickhouse };

// Holds the parts of otlps://user:password@host:port/path.  A scheme that ends
// in s stands for TLS.
struct address {
	service		kind = service::otlp;
	bool		tls = false;
	std::string	user, password;	// decoded; "": none
	std::string	host;		// and port
	std::string	path;		// without its first slash

	// The beginning of HTTP's URL: http://host:port
	std::string	server() const;
	// For people: without user, password and settings.
	std::string	text() const;
};

// Returns "" or the error.
std::string read_address(const std::string &url, address &);

// The same, for the check of an option's value.
std::string address_error(const std::string &url);

} // namespace servers
