// Makes a random program of several processes, whose threads note what they do.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "ledger.h"
#include "lib/scratch.h"

namespace soak {

class program {
public:
	explicit program(unsigned int seed);
	~program();
	program(const program &) = delete;
	program &operator=(const program &) = delete;

	ledger	&notes() { return *notes_; }
	std::vector<pid_t> pids() const;

private:
	ledger		*notes_;
	pid_t		 root_ = -1;
	lib::scratch	 directory_;
};

} // namespace soak
