// A watch of C++ closes itself; its reason is there where it cannot be had.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <stack9_watch.hpp>

int
main()
{
	stack9::event_watch w;
	::stack9_sink sink{};
	sink.what = STACK9_COUNT;
	sink.side = STACK9_BOTH;
	return w.watch("", sink, [](const stack9::sample &) {}) != 0 &&
	    w.reason()[0] != '\0' ? 0 : 1;
}
