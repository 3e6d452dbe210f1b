// Declares how tests submit captures, wait for them, collect and release them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <new>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <sys/mman.h>

#include "core_calls.h"
#include "require.h"
#include "user.h"	// of tests/user

// Linux 6.18: BPF programs may send task work.  "task-work" in STACK9_REQUIRE.
boost::unit_test::decorator::precondition needs_task_work();

// A submission that succeeds; released when it goes.
class submission {
public:
	explicit submission(pid_t tid, stack9_side side = STACK9_BOTH,
	    unsigned int flags = 0);
	submission(const submission &) = delete;
	~submission() { core::release(id); }

	stack9_id	id = 0;
};

// The error of a submission that is expected to fail; 0: it did not.
int refusal(pid_t tid, stack9_side side = STACK9_BOTH, unsigned int flags = 0);
int refusal(const stack9_thread &td, stack9_side side = STACK9_BOTH,
    unsigned int flags = 0);

// Rooms for both stacks of a thread, and the space of its process.
struct answer {
	explicit answer(pid_t pid, std::uint32_t most = 512)
	    : user(pid, most) {}

	int
	collect(stack9_id id)
	{
		return core::collect(id, &kernel.rec, &user.rec);
	}
	// As soon as the stream has given it.
	int outcome(stack9_id id);
	std::string names() { return joined(user.names()); }
	// "": a complete user stack whose innermost function, by the manual's
	// name, is this, and in which the others are, from inside outwards.
	std::string fault(const std::vector<std::string> &functions);

	capture		kernel;
	user_capture	user;
};

// The stream of this process.
namespace stream {

int fd();
bool readable();	// just now
void wait_readable();	// or the test has failed
// All that there is just now; an error is one of the test.
std::vector<stack9::arrival> take(std::size_t at_a_time = 64);
// Takes what comes, until that one has come, now or before.
std::vector<stack9::arrival> take_until(stack9_id id);
// All until so many have come.
std::vector<stack9::arrival> take_many(std::size_t count);

} // namespace stream

// Asks again and again until it is something else than EAGAIN, and leaves the
// stream alone.
int collect_over(stack9_id id);

// Runs a test's body in a process that has submitted nothing yet.
void apart(const std::function<void()> &body);

// In memory that forked children share.
template <class T> class shared {
public:
	shared()
	    : at_(new (mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_ANONYMOUS, -1, 0)) T{})
	{
	}
	shared(const shared &) = delete;
	~shared() { munmap(at_, sizeof(T)); }
	T *operator->() const { return at_; }
	T &operator*() const { return *at_; }

private:
	T	*at_;
};
