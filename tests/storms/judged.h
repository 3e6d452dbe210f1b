// Judges samples of a crowd: a stack is of the thread that was asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <mutex>
#include <string>

#include <stack9.h>

// Counts how captures ended, and what was wrong with them.
class tally {
public:
	void count(const std::string &what);
	void fault(const std::string &what);
	// Prints the counts; true: nothing is wrong.
	bool tell();

private:
	std::mutex			lock_;
	std::map<std::string, long>	ends_, faults_;
};

// A sample of a thread of the crowd.  asked: tid 0 for any.
void judge(const stack9_sample &, const stack9_thread &asked, tally &);
