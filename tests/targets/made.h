// Makes files of which each byte is the test's own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <fcntl.h>
#include "lib/text.h"
#include "process/file.h"
#include "process/tables.h"

#include "target.h"

// A file of these bytes.
class made {
public:
	explicit made(const std::string &bytes)
	{
		const std::string path = room_.path() + "/go";
		std::ofstream(path, std::ios::binary) << bytes;
		file_ = std::make_unique<stack9::process::file>(1,
		    open(path.c_str(), O_RDONLY | O_CLOEXEC), path);
		file_->cfi = std::make_unique<stack9::process::tables>();
	}
	stack9::process::file &get() { return *file_; }

private:
	scratch			room_;
	std::unique_ptr<stack9::process::file> file_;
};
