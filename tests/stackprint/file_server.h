// Mounts a FUSE file system of one program, whose server may fall silent.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <sys/types.h>

#include "lib/scratch.h"

class file_server {
public:
	enum class silence {
		none,
		opening,	// files are no longer opened
		reading,	// nor read
	};

	// Mounts the file system for this process alone, with a copy of the
	// program; false: this machine has no FUSE.  Runs the program.
	// of_another: a user's who lets nobody else in, root neither.
	file_server(const std::string &program, silence,
	    bool of_another = false);
	file_server(const file_server &) = delete;
	~file_server();

	bool	is_there() const { return program_ > 0; }
	pid_t	program() const { return program_; }

private:
	pid_t	server_ = -1, program_ = -1;
	lib::scratch dir_;
};
