// Times what a person does who asks why a process hangs: stackprint --waits and
// --why, beside the plain capture, and eu-stack and gdb that stop it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stack9_waits.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benches.h"
#include "pair.h"
#include "releases.h"

namespace {

pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER;

// All threads but the first wait for its mutex, or sleep.
[[noreturn]] void
hang(unsigned threads, bool locked, int ready)
{
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_mutex_lock(&wanted);
	for (unsigned i = 0; i < threads; i++) {
		pthread_t t;
		pthread_create(&t, &small, [](void *waits) -> void * {
			if (waits != nullptr)
				pthread_mutex_lock(&wanted);
			for (;;)
				pause();
		}, locked ? &wanted : nullptr);
	}
	close(ready);
	for (;;)
		pause();
}

class hung {
public:
	hung(unsigned threads, bool locked)
	{
		int ready[2];
		char c;
		if (pipe(ready) != 0)
			return;
		pid_ = fork();
		if (pid_ == 0) {
			close(ready[0]);
			hang(threads, locked, ready[1]);
		}
		close(ready[1]);
		(void)!read(ready[0], &c, 1);
		close(ready[0]);
	}
	hung(const hung &) = delete;
	~hung()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
	pid_t id() const { return pid_; }
	std::string pid() const { return std::to_string(pid_); }

private:
	pid_t	pid_ = -1;
};

void
spawn(const std::vector<std::string> &words)
{
	posix_spawn_file_actions_t actions;
	std::vector<char *> argv;
	pid_t pid = -1;
	posix_spawn_file_actions_init(&actions);
	for (const int fd : {1, 2})
		posix_spawn_file_actions_addopen(&actions, fd, "/dev/null",
		    O_WRONLY, 0);
	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	if (posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(),
	    environ) == 0)
		waitpid(pid, nullptr, 0);
	posix_spawn_file_actions_destroy(&actions);
}

void
bench_hung(const std::string &stackprint, unsigned threads, bool locked,
    bool quick)
{
	const hung h(threads, locked);
	const std::string pid = h.pid();
	std::vector<way> ways{
		{"stackprint -p PID", [&] { spawn({stackprint, "-p", pid}); }},
		{"stackprint --why -p PID", [&] {
			spawn({stackprint, "--why", "-p", pid});
		}},
		{"stackprint --waits -p PID", [&] {
			spawn({stackprint, "--waits", "-p", pid});
		}},
	};
	std::vector<way> peers;
	for (const release &r : releases_of("eu-stack"))
		peers.push_back({r.name + " -p PID", [=] {
			spawn({r.program, "-p", pid});
		}});
	for (const release &r : releases_of("gdb"))
		peers.push_back({r.name + ", thread apply all bt", [=] {
			spawn({r.program, "-nx", "-batch", "-ex",
			    "thread apply all bt", "-p", pid});
		}});
	// A pass of --follow over threads that sleep does no more than this.
	ways.push_back({"stack9_states() of PID", [&] {
		const stack9_thread td{h.id(), h.id(), 0};
		stack9_states(&td, 0, [](void *, const stack9_state *) {
			return 0;
		}, nullptr);
	}});
	std::vector<stack9_sample *> samples;
	const stack9_thread first{h.id(), h.id(), 0};
	stack9_each(&first, STACK9_BOTH, nullptr, [](void *to,
	    const stack9_sample *s) {
		static_cast<std::vector<stack9_sample *> *>(to)->push_back(
		    stack9_sample_hold(s));
		return 0;
	}, &samples);
	ways.push_back({"stack9_waits() of its samples", [&] {
		stack9_waits(samples.data(), static_cast<std::uint32_t>(
		    samples.size()), 0, [](void *, const stack9_wait *) {
			return 0;
		}, nullptr);
	}});
	const bool few = threads <= 100;
	if (few)
		ways.insert(ways.end(), peers.begin(), peers.end());
	const auto costs = compare(fmt::format("{} threads {}", threads,
	    locked ? "wait for the mutex of another one" : "sleep"), ways,
	    quick ? 5 : 21, "--why within 1.3 of it");
	fmt::print("  {:<46} {:>10.2f}\n", "--waits to the plain capture",
	    costs[2].median / costs[0].median);
	for (stack9_sample *const s : samples)
		stack9_sample_close(s);
	// They take seconds, or minutes.
	for (std::size_t i = 0; !few && !quick && i < peers.size(); i++) {
		const double begin = now_us();
		peers[i].once();
		fmt::print("  {:<46} {:>10.3f} us   once\n", peers[i].name,
		    now_us() - begin);
	}
}

} // namespace

void
bench_waits(const char *stackprint, bool quick)
{
	for (const unsigned threads : {100u, 5000u})
		for (const bool locked : {true, false})
			bench_hung(stackprint, threads, locked, quick);
}
