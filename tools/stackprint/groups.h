// Equal stacks once: with whom they are, the most frequent first.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "printer.h"
#include "tools/lib/stacks.h"
#include "tools/lib/user_names.h"

namespace stackprint {

struct group {
	kept_stacks		stack;	// of its first member
	std::vector<member>	members;
};

class groups {
public:
	// Stacks are equal if each frame is: in the kernel the same address; in
	// user space the same place in the same file, so that processes of one
	// program are together wherever it was loaded.  What is missing, and
	// why, has to be equal too.
	void add(const stacks &, user_names &);

	std::vector<group *> by_count();

private:
	std::deque<group>				all_;
	// By the whole identity of the stacks: no two are ever mixed up.
	std::unordered_map<std::string, group *>	by_key_;
};

} // namespace stackprint
