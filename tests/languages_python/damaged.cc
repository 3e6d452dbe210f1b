// Damages each word of what a walk of Python's frames reads, one at a time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "forged_thread.h"
#include "python_program.h"

namespace stack9::languages {
extern const runtime &runtime_python;
}

BOOST_AUTO_TEST_CASE(damaged_words, *has_python() *
    boost::unit_test::description("ISSUE: hostile heaps (cycles, wild "
    "pointers, huge lengths): bounded"))
{
	const python_program p(pythons().front(), 7, 12);
	const auto natives = forged::native_stacks(p.pid());
	int threads = 0;
	for (const auto &[tid, theirs] : p.said()) {
		if (theirs.size() < 5 || theirs.size() > 30 || threads == 2)
			continue;
		threads++;
		forged::record_and_damage(stack9::languages::runtime_python,
		    {"_PyRuntime", "_PyEval_EvalFrameDefault",
		    "_PyEval_EvalFrameDefault.cold", "Py_Version"}, p.pid(),
		    tid, natives.at(tid), theirs.size());
	}
	BOOST_TEST(threads > 0);
}
