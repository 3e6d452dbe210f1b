// Says what is right, and has a child to look at.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_TESTS_API_CXX_REPORT_H
#define STACK9_TESTS_API_CXX_REPORT_H

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9.hpp>

inline int failures = 0;

inline void
ok(bool is, const char *sentence)
{
	std::printf("%s %s\n", is ? "ok" : "not ok", sentence);
	failures += !is;
}

inline void
skip(const char *sentence, const std::string &reason)
{
	std::printf("ok %s # SKIP %s\n", sentence, reason.c_str());
}

// The last line of a program.
inline int
end()
{
	if (failures == 0)
		std::puts("ok end");
	return failures != 0;
}

// A child that sleeps in pause().
class child {
public:
	child() : pid_(fork())
	{
		if (pid_ == 0)
			for (;;)
				pause();
		td_ = stack9::thread::find(pid_);
		for (int late = 0; late < 100;) {
			const auto s = stack9::save(td_, stack9::side::both,
			    stack9::as_result);
			if (s->state() != 'S')
				continue;	// not asleep yet
			// It may say so before it has left its CPU.
			if (s->kernel().error() != EAGAIN &&
			    s->user().error() != EAGAIN)
				break;
			late++;
		}
	}
	child(const child &) = delete;
	child &operator=(const child &) = delete;
	~child() { end(); }

	void
	end()
	{
		if (pid_ <= 0)
			return;
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
		pid_ = 0;
	}
	const stack9::thread &td() const { return td_; }

private:
	pid_t		pid_;
	stack9::thread	td_;
};

inline bool
has(const stack9::frame_list &frames, const std::string &name)
{
	for (const auto &f : frames)
		if (f.name.find(name) != std::string::npos)
			return true;
	return false;
}

#endif // STACK9_TESTS_API_CXX_REPORT_H
