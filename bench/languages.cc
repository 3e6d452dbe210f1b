// Times the functions of Python, with names and lines: a pass over all threads
// of a process, each of them 50 functions deep, beside one over native frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <spawn.h>
#include <stack9.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benches.h"
#include "own_clock.h"
#include "statistics.h"

namespace {

constexpr int depth = 50;

constexpr const char *program = R"(
import os, sys, threading
never, held = os.pipe()
def down(n):
    os.read(never, 1) if n == 0 else down(n - 1)
for n in range(int(sys.argv[1])):
    threading.Thread(target=down, args=(45,), daemon=True).start()
os.write(1, b'.')
down(45)
)";

class python {
public:
	explicit python(unsigned threads)
	{
		int ready[2];
		char c;
		std::string count = std::to_string(threads);
		std::string words[] = {"python3", "-c", program, count};
		char *const args[] = {words[0].data(), words[1].data(),
		    words[2].data(), words[3].data(), nullptr};
		if (pipe(ready) != 0)
			return;
		posix_spawn_file_actions_t how;
		posix_spawn_file_actions_init(&how);
		posix_spawn_file_actions_adddup2(&how, ready[1], 1);
		posix_spawn_file_actions_addclose(&how, ready[0]);
		if (posix_spawnp(&pid_, args[0], &how, nullptr, args,
		    environ) != 0)
			pid_ = -1;
		close(ready[1]);
		started_ = pid_ > 0 && read(ready[0], &c, 1) == 1;
		close(ready[0]);
	}
	python(const python &) = delete;
	~python()
	{
		if (pid_ <= 0)
			return;
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
	bool has_started() const { return started_; }
	pid_t pid() const { return pid_; }

private:
	pid_t	pid_ = -1;
	bool	started_ = false;
};

struct pass {
	unsigned	threads = 0, functions = 0;
	stack9_sample	*held = nullptr;
};

int
count_frame(void *to, const stack9_frame *f)
{
	static_cast<pass *>(to)->functions +=
	    f->kind == STACK9_FRAME_WRITTEN && f->line != 0;
	return 0;
}

// A sample that is held keeps what is known of the process.
int
count_thread(void *to, const stack9_sample *s)
{
	pass &p = *static_cast<pass *>(to);
	p.threads++;
	if (p.held == nullptr)
		p.held = stack9_sample_hold(s);
	stack9_frames(s->user, 0, count_frame, to);
	return 0;
}

void
bench(unsigned threads, unsigned flags, const char *what, bool quick)
{
	const python p(threads);
	if (!p.has_started())
		return;
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = flags;
	const stack9_thread td{p.pid(), p.pid(), 0};
	std::vector<double> us;
	pass seen;
	for (int i = 0; i < (quick ? 5 : 50); i++) {
		seen.threads = seen.functions = 0;
		const double from = now_ns();
		if (stack9_each(&td, STACK9_USER, &o, count_thread,
		    &seen) != 0)
			break;
		if (i != 0 && seen.threads != 0)
			us.push_back((now_ns() - from) / 1e3 / seen.threads);
	}
	stack9_sample_close(seen.held);
	if (!us.empty())
		fmt::print("  {:>5} threads of {} functions, {:<8} {:>8.1f} "
		    "us [{:.1f}] a thread, {} functions with lines\n",
		    threads, depth, what, median(us), lowest(us),
		    seen.functions);
}

} // namespace

void
bench_languages(bool quick)
{
	fmt::print("\nPython: a warm pass, medians [least]; the goal is 30 us "
	    "a thread\n");
	for (const unsigned threads : {10u, 100u, 1000u}) {
		bench(threads, STACK9_SAVE_LANGUAGES, "Python's", quick);
		bench(threads, 0, "native", quick);
	}
}
