// Figures of own_worker processes, taken in turns so that what else the machine
// does falls on all of them; of each the lowest counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <string>
#include <vector>

// What is asked of a worker.
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

// What a worker prints; nothing if it fails.
std::string answer(const question &);
