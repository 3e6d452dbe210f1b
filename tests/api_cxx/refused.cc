// Does not compile with -D of one of the names below.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9.hpp>

int
main()
{
	const auto self = stack9::thread::self();
	stack9::for_each(self, stack9::side::user,
	    [](const stack9::sample &) {});
	stack9::for_each(self, stack9::side::user,
	    [](const stack9::sample &) { return stack9::go::on; });
#ifdef BOOL
	stack9::for_each(self, stack9::side::user,
	    [](const stack9::sample &) { return true; });
#endif
#ifdef INT
	stack9::for_each(self, stack9::side::user,
	    [](const stack9::sample &) { return 0; });
#endif
#ifdef PCS
	for (const auto pc : stack9::save(self).user().pcs())
		(void)pc;
#endif
}
