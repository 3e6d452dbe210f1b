// Begins, stops and closes watches; forks meanwhile; runs several at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "paths.h"

BOOST_AUTO_TEST_SUITE(watch_lifetime)

namespace {

using boost::unit_test::description;

constexpr char event[] = "syscall:getppid";

stack9::watch_sink
cheap()
{
	return counted(STACK9_USER, STACK9_WATCH_FRAME_POINTERS);
}

std::ptrdiff_t
descriptors()
{
	namespace fs = std::filesystem;
	return std::distance(fs::directory_iterator("/proc/self/fd"), {});
}

} // namespace

BOOST_AUTO_TEST_CASE(nothing_comes_after_the_stop, *needs("bpf")
    * description("stack9_watch_stop: no event is captured from then on; "
    "Returns 0, a second time too"))
{
	staged before("tree", {"500"}), after("tree", {"500"});
	stack9::watch_filter f{};
	f.comm = "tree";
	watching w(event, f, cheap());
	w.all_of(before);
	BOOST_TEST(core::watch_stop(w.get()) == 0);
	after.go();
	after.truth();
	w.end();
	BOOST_TEST(w.tally().events == events_of(500));
	BOOST_TEST(ways(w.samples, before.pid()).wrong(500).size() == 0u);
}

BOOST_AUTO_TEST_CASE(what_has_come_can_still_be_read, *needs("bpf")
    * description("stack9_watch_stop: The events that have arrived can still "
    "be read"))
{
	staged tree("tree", {"500"});
	watching w(event, only(tree.pid()), streamed(STACK9_USER));
	tree.go();
	tree.truth();
	BOOST_TEST(core::watch_stop(w.get()) == 0);
	BOOST_TEST(w.samples.size() == 0u);
	w.end();
	BOOST_TEST(w.samples.size() == events_of(500));
}

BOOST_AUTO_TEST_CASE(it_closes_while_they_come, *needs("bpf")
    * description("stack9_watch_close: stops the watch; NULL does nothing"))
{
	core::watch_close(nullptr);
	staged tree("tree");
	tree.go();
	for (int i = 0; i < 5; i++) {
		const std::unique_ptr<watching> w(new watching(event,
		    only(tree.pid()), cheap()));
		w->read(0);
	}
	tree.truth();
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_it, *needs("bpf")
    * description("stack9_watch_close"))
{
	const auto once = [] {
		staged tree("tree", {"10"});
		watching w(event, only(tree.pid()), streamed(STACK9_BOTH));
		w.all_of(tree);
	};
	once();		// makes what is kept for good
	const std::ptrdiff_t before = descriptors();
	for (int i = 0; i < 10; i++)
		once();
	BOOST_TEST(descriptors() == before);
}

BOOST_AUTO_TEST_CASE(a_refusal_leaves_nothing, *needs("bpf")
    * description("ENOENT: no such event"))
{
	refused("t:sched:no_such_event");
	const std::ptrdiff_t before = descriptors();
	for (int i = 0; i < 10; i++)
		refused("t:sched:no_such_event");
	BOOST_TEST(descriptors() == before);
}

BOOST_AUTO_TEST_CASE(two_do_not_know_of_each_other, *needs("bpf")
    * description("Only one thread at a time may use a watch"))
{
	staged tree("tree", {"2000"});
	watching one(event, only(tree.pid()), cheap());
	watching two(event, only(tree.pid()), counted(STACK9_KERNEL));
	one.all_of(tree);
	one.end();
	two.end();
	BOOST_TEST(ways(one.samples).wrong(2000).size() == 0u);
	BOOST_TEST(events_in(two.samples) == events_of(2000));
}

BOOST_AUTO_TEST_CASE(a_fork_does_not_disturb_it, *needs("bpf")
    * description("stack9_watch_fd: The descriptor belongs to the watch"))
{
	staged tree("tree", {"2000"});
	watching w(event, only(tree.pid()), cheap());
	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, nullptr, 0);
	w.all_of(tree);
	w.end();
	BOOST_TEST(ways(w.samples).wrong(2000).size() == 0u);
}

BOOST_AUTO_TEST_CASE(without_a_filter, *needs("bpf")
    * description("filter may be NULL: every event passes"))
{
	staged tree("tree", {"300"});
	std::uint64_t seen = 0;
	stack9::watch_sink sink = counted(STACK9_KERNEL);
	sink.arg = &seen;
	sink.fn = [](void *arg, const stack9::watch_sample *s) {
		*static_cast<std::uint64_t *>(arg) += s->events;
		return 0;
	};
	stack9::event_watcher *w = nullptr;
	BOOST_REQUIRE(core::watch(event, nullptr, &sink, &w, nullptr) == 0);
	tree.go();
	tree.truth();
	core::watch_stop(w);
	while (core::watch_read(w, 0) == 0)
		;
	BOOST_TEST(core::watch_counts(w) == 0);
	BOOST_TEST(seen >= events_of(300));
	core::watch_close(w);
}

BOOST_AUTO_TEST_SUITE_END()
