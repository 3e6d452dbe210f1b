// Damages each word of what a walk of Ruby's frames reads, one at a time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "forged_thread.h"
#include "ruby_program.h"

namespace stack9::languages {
extern const runtime &runtime_ruby;
}

BOOST_AUTO_TEST_CASE(damaged_words, *has_ruby() *
    boost::unit_test::description("ISSUE: hostile heaps (cycles, wild "
    "pointers, huge lengths): bounded"))
{
	const ruby_program p("generated.rb", {"7", "12", "10"});
	const auto natives = forged::native_stacks(p.pid());
	int threads = 0;
	for (const auto &[tid, theirs] : p.printed()) {
		if (theirs.size() < 10 || theirs.size() > 30 || threads == 2)
			continue;
		threads++;
		forged::record_and_damage(stack9::languages::runtime_ruby,
		    {"ruby_version", "ruby_current_vm_ptr"}, p.pid(), tid,
		    natives.at(tid), theirs.size());
	}
	BOOST_TEST(threads > 0);
}
