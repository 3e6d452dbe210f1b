// Holds main() of every test program, and lets no child outlive its parent.
//
// SPDX-License-Identifier: BSD-2-Clause
#define BOOST_TEST_MODULE stack9
#include <boost/test/unit_test.hpp>

#include <csignal>

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace {

pid_t parent;	// of whoever is forked; each fork writes the same

// A test that fails or is killed leaves its function early.  Its children
// would go on for ever; so the kernel kills a child when the thread that forked
// it ends.  A parent in another pid namespace is seen as 0.
void
die_with_parent()
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (const pid_t now = getppid(); now != 0 && now != parent)
		_exit(127);
}

const int registered = pthread_atfork([] { parent = getpid(); }, nullptr,
    die_with_parent);

} // namespace
