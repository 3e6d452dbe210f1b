// Declares figures of own_worker processes.  They are taken in turns, so that
// other work of the machine falls on all of them, and the lowest of each
// counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <string>
#include <vector>

// The figure that a worker is asked for.
struct question {
	std::string	worker;
	std::string	peer;
	std::string	row;
	unsigned	frames;

	bool operator==(const question &) const = default;
};

class cells {
public:
	// One that is there already is not added again.
	void add(const question &);
	// So many processes for each, in turns.
	void run(unsigned processes);
	// Infinite if there was no answer.
	double lowest(const question &) const;

private:
	struct cell {
		question	asked;
		double		lowest =
				    std::numeric_limits<double>::infinity();
	};

	std::vector<cell>	all_;
};

// The text that a worker prints; nothing if it fails.
std::string answer(const question &);
