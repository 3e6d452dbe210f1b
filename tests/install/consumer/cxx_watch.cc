// Checks that a watch of C++ that cannot be opened has a reason.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9_watch.hpp>

int
main()
{
	const auto watch = stack9::watch::open("", stack9::as_result);
	return !watch && watch.error() != 0 && !watch.reason().empty() ? 0 : 1;
}
