// Makes the requests by which a profile is sent to a server.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "address.h"
#include "http.h"
#include "tools/profiles/profile.h"

namespace servers {

struct request {
	std::string	path;
	std::vector<std::string> headers;
	std::string	body;
};

// OTLP takes all containers in one request, Pyroscope and Parca take a series
// for each.
request request_of(const address &, const profiles::profile &);

// Says what a server did not take although its answer is good; "" if it took
// all.
std::string rejection_in(const address &, const answer &);

// Gives 16 bytes that no other profile has.
std::string fresh_id();

} // namespace servers
