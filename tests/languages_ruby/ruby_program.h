// Runs programs in Ruby that print their threads' backtraces, and captures
// these threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <sys/types.h>

// A function at a line.
struct place {
	std::string	name, file;
	std::uint32_t	line = 0;

	bool operator==(const place &) const = default;
};
std::ostream &operator<<(std::ostream &, const place &);
using backtrace = std::vector<place>;	// innermost first

// A frame of a capture.  Native ones have no language.
struct seen_frame {
	std::string	language;
	place		where;
	bool		is_guessed = false;
};
struct seen_stack {
	std::vector<seen_frame> frames;
	int		error = 0, why = 0;
	std::string	note;

	backtrace written() const;
	std::string text() const;
};
using seen_stacks = std::map<pid_t, seen_stack>;	// by tid

// The interpreter is `ruby`, or the words of STACK9_RUBY: "chroot DIR ruby".
// Killed and reaped when it goes.
class ruby_program {
public:
	// Gives the text of a file here to -e, so that its path is "-e".  Waits
	// until it has printed "ready" and all its threads sleep.
	ruby_program(const std::string &script, std::vector<std::string> args);
	ruby_program(const ruby_program &) = delete;
	ruby_program &operator=(const ruby_program &) = delete;
	~ruby_program();

	pid_t pid() const { return pid_; }
	// By tid, as it printed them: "thread TID N", and N lines of line, file
	// and label.
	const std::map<pid_t, backtrace> &printed() const { return printed_; }
	// Other lines.
	const std::vector<std::string> &lines() const { return lines_; }

private:
	void read_output(int fd);
	void wait_until_asleep() const;

	pid_t	pid_ = -1;
	std::map<pid_t, backtrace> printed_;
	std::vector<std::string> lines_;
};

// Captures all its threads, or one.
seen_stacks capture(pid_t, bool replaced = true);

// Skips a test where Ruby is not here.
boost::unit_test::decorator::precondition has_ruby();
