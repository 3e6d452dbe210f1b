// Declares a temporary directory in which tools make files, and the processes
// that run them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include "process/file.h"
#include "core/seam/symbols.h"

#include "program.h"

class workshop {
	lib::scratch dir;

public:
	std::string
	operator/(const std::string &name) const
	{
		return dir / name;
	}
	// Returns whether the command, run in here by sh, succeeds.
	bool run(const std::string &command) const;
	// The same, and the test ends where it does not.
	void must(const std::string &command) const;
};

// Returns what the command writes, by lines.
std::vector<std::string> lines_of(const std::string &command);

// A precondition: that the command succeeds on a C++ program without contents.
boost::unit_test::decorator::precondition builds(const char *compiler);

std::unique_ptr<stack9::process::file> open_file(const std::string &path);

// p_vaddr of a symbol, by nm; 0 if there is none.
std::uint64_t address_in(const std::string &path, const std::string &symbol);

// fixtures/held.c, run: it says where its things are, and waits.
class held {
	pid_t		 pid_;
	int		 to_, from_;
	std::map<std::string, std::uintptr_t> at_;

public:
	explicit held(const std::string &program = HELD);
	held(const held &) = delete;
	~held();

	pid_t pid() const { return pid_; }
	std::uintptr_t at(const std::string &thing) const;
	// Ended and reaped.
	void end();
};

// Opens a process's space, and closes it at the end.
struct opened_space {
	stack9_space	*space = nullptr;

	explicit opened_space(pid_t);
	opened_space(const opened_space &) = delete;
	~opened_space();

	// "name+offset module", or "errno N".
	std::string name(std::uintptr_t pc, bool return_address = false) const;
};

// Debug files are looked for below this while it is there.
class debug_files_below {
	const char		*was;
	const std::string	 path;

public:
	explicit debug_files_below(std::string path);
	~debug_files_below();
};
