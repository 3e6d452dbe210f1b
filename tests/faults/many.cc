// Tests captures of very many threads, on every CPU, and of a process whose
// libraries come and go.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <set>

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "around.h"
#include "require.h"
#include "user.h"
#include "victim.h"

using boost::unit_test::description;

namespace {


void *
wait_for_ever(void *)
{
	for (;;)
		pause();
}

void
start_threads(int count)
{
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	for (pthread_t t; count > 0; count--)
		if (pthread_create(&t, &small, wait_for_ever, nullptr) != 0)
			_exit(1);
}

void
wait_until_all_sleep(pid_t pid)
{
	for (const auto &e : std::filesystem::directory_iterator("/proc/" +
	    std::to_string(pid) + "/task"))
		wait_for_state(std::stoi(e.path().filename()), 'S');
}

// Its argument counts the times.
void *
load_for_ever(void *arg)
{
	auto &loads = *static_cast<std::atomic<unsigned int> *>(arg);
	for (;;)
		if (void *const it = dlopen(PLUGIN, RTLD_NOW); it != nullptr) {
			dlclose(it);
			loads++;
		}
}

struct unmapper {
	void operator()(std::atomic<unsigned int> *p) const
	{
		munmap(p, sizeof *p);
	}
};

// A number that a child counts up.
std::unique_ptr<std::atomic<unsigned int>, unmapper>
shared_count()
{
	void *const at = mmap(nullptr, sizeof(std::atomic<unsigned int>),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	BOOST_TEST_REQUIRE(at != MAP_FAILED);
	return {new (at) std::atomic<unsigned int>(0), {}};
}

struct counted {
	std::set<pid_t>	tids{};
	int		bad = 0;
};

int
count(void *arg, const stack9_sample *s)
{
	counted &c = *static_cast<counted *>(arg);
	c.tids.insert(s->thread.tid);
	c.bad += s->kernel->error != 0 || s->kernel->depth == 0 ||
	    s->kernel->why != STACK9_WHY_NONE;
	return 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(five_thousand_threads_are_all_there, *needs("root")
    * needs("bpf") * description("5,001 threads: each of them, in one pass"))
{
	// An emulated machine takes 6 ms for each, and 34 ms by /proc.
	const int threads = locked_down("confidentiality") ? 501 :
	    in_guest() ? rounds(5001, 1001) : 5001;
	const child target([&] { start_threads(threads - 1); });
	wait_until_all_sleep(target.pid());
	const stack9_thread td{target.pid(), target.pid(), 0};
	counted c;
	BOOST_TEST(stack9_each(&td, STACK9_KERNEL, nullptr, count, &c) == 0);
	BOOST_TEST(c.tids.size() == static_cast<std::size_t>(threads));
	BOOST_TEST(c.bad == 0);
}

BOOST_AUTO_TEST_CASE(libraries_come_and_go_in_another_process,
    *needs("ptrace") * description(
    "dlopen and dlclose all the time in another process: 200 of 200"))
{
	const auto loads = shared_count();
	const child target([&] {
		pthread_t t;
		if (pthread_create(&t, nullptr, load_for_ever, loads.get()) !=
		    0)
			_exit(1);
	});
	while (*loads == 0)
		sched_yield();
	const outcome right = right_stack(target.pid(), STACK9_USER);
	BOOST_TEST(std::count_if(right.names.begin(), right.names.end(),
	    [](const std::string &s) { return s.starts_with("main+"); }) == 1);
	const unsigned int before = *loads;
	int whole = 0;
	for (int i = 0; i < 200; i++)
		whole += outcome(target.pid(), STACK9_USER).beside(right) == 0;
	BOOST_TEST(whole == 200);
	BOOST_TEST(*loads > before);
}

BOOST_AUTO_TEST_CASE(every_cpu_can_capture_afterwards, *needs("root")
    * needs("bpf") * description("every CPU can capture, by every route"))
{
	cpu_set_t all;
	BOOST_REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
	const victim v({doing::read});
	const outcome right = right_stack(v.pid(), STACK9_KERNEL);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		cpu_set_t one;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		BOOST_REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
		for (const std::string &route : routes_of("kernel stack")) {
			const forced only(route);
			BOOST_TEST(outcome(v.pid(), STACK9_KERNEL)
			    .beside(right) == 0, route << " on CPU " << cpu);
		}
	}
	sched_setaffinity(0, sizeof all, &all);
}
