// Keeps the samples that stack9_each() gives.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include <stack9.h>

namespace lib {

// to: a std::vector<stack9_sample *>.  Its owner closes them.
inline int
hold_sample(void *to, const stack9_sample *s)
{
	static_cast<std::vector<stack9_sample *> *>(to)->push_back(
	    stack9_sample_hold(s));
	return 0;
}

} // namespace lib
