// Declares how the process that speaks with servers calls libcurl.  libcurl is
// loaded when the first request is to be sent.  Linked to the programs, it
// would make each start slower.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "answer.h"
#include "question.h"

namespace servers {

class curl {
public:
	curl();
	~curl();
	curl(const curl &) = delete;
	curl &operator=(const curl &) = delete;

	// Returns "" or what helps.
	std::string	open();
	// After open().
	answer	post(const question &);

private:
	struct connection;
	std::unique_ptr<connection> connection_;
};

} // namespace servers
