// Runs the Go program of this folder and asks it for the stacks of its
// goroutines.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <stack9_coroutines.h>
#include <sys/types.h>

using frames = std::vector<std::uint64_t>;

// A goroutine, as one of the two sides sees it.
struct seen {
	std::string		state;
	std::vector<std::string> functions;	// "name+offset"
	frames			pcs;
	std::vector<bool>	behind;	// the last byte of the function
	int			error = 0, why = 0;
	std::string		reason;
};
using goroutines = std::map<std::uint64_t, seen>;	// by id

// Killed and reaped when it goes.
class go_program {
public:
	// Waits until it is ready.
	explicit go_program(const char *argument);
	go_program(const go_program &) = delete;
	go_program &operator=(const go_program &) = delete;
	~go_program();

	pid_t pid() const { return pid_; }
	// Asks for the text of runtime.Stack() without functions of the
	// runtime, and for the stacks of runtime.GoroutineProfile() with all.
	void ask(goroutines &, std::multiset<frames> &) const;

private:
	pid_t	pid_;
	int	to_, from_;
};

// Skips a test where Go's compiler is not here.
boost::unit_test::decorator::precondition has_go();

// Gives the goroutines that stack9_coroutines() finds.
int find(pid_t, goroutines &);
