// Tests stacks that programs of others get, against programs that know their
// own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lending.h"

#include <algorithm>
#include <cstdlib>

#include <linux/perf_event.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mounts.h"
#include "paths.h"
#include "programs/tree.h"
#include "walks.h"

BOOST_AUTO_TEST_SUITE(rules_truth)

namespace {

using boost::unit_test::description;

std::uint64_t
events_of(const answers &a)
{
	return a.stored + a.sent + a.none + a.full + a.nested + a.ended +
	    a.other;
}

// As many objects as callers get the stacks of one process.  The ring of the
// rules, and those of the callers, have room for all that a reader leaves there
// that gets no CPU.
void
check_tree(const char *program, unsigned callers, unsigned paths)
{
	stack9_rules_options o{};
	o.size = sizeof o;
	o.ring = std::uint64_t{paths > 10000 ? 512U : 128U} << 20;
	const rules r = open_rules(&o);
	std::vector<std::unique_ptr<caller>> all;
	std::vector<caller *> from;
	staged tree("tree_lean", {std::to_string(paths)});
	for (unsigned i = 0; i < callers; i++) {
		all.push_back(std::make_unique<caller>(program,
		    r.get()));
		from.push_back(all.back().get());
		BOOST_REQUIRE_EQUAL(bpf_map__set_max_entries(
		    from.back()->map("stored"),
		    static_cast<std::uint32_t>(o.ring / 4)), 0);
		BOOST_REQUIRE_EQUAL(from.back()->load(), 0);
		from.back()->ask(tree.pid(), i + 1);
		from.back()->attach();
	}
	taken got;
	got.until_done(tree, r.get(), from);
	const std::uint64_t each = ::events_of(paths);
	std::uint64_t stored = 0, lost = 0;
	for (const caller *const c : from) {
		const answers a = c->answered();
		BOOST_TEST(events_of(a) == each);
		BOOST_TEST(a.none + a.ended + a.nested + a.other == 0u);
		stored += a.stored;
		lost += a.full;
	}
	BOOST_TEST(stack9_rules_stop(r.get()) == 0);
	stack9_tally t{};
	t.size = sizeof t;
	BOOST_TEST(stack9_rules_tally(r.get(), &t) == 0);
	BOOST_TEST_MESSAGE(t.events << " calls, " << t.walked << " walked, " <<
	    t.copied << " copied, " << lost << " lost");
	BOOST_TEST(t.events == callers * each);
	BOOST_TEST(t.kept + t.no_room + t.nested == t.events);
	BOOST_TEST(t.no_room == lost);
	BOOST_TEST(got.samples.size() + lost == callers * each);
	const ways gone(got.samples);
	if (lost == 0)
		BOOST_TEST(gone.wrong(paths, callers).size() == 0u);
	for (const auto &[way, n] : gone.events)
		BOOST_TEST(n <= std::uint64_t{callers} * tree_truth(way));
	BOOST_TEST(gone.lost == 0u);
	BOOST_TEST((stored > 0u || !counts_mappings()));
	for (unsigned i = 0; i < callers; i++)
		BOOST_TEST(static_cast<std::uint64_t>(std::count(
		    got.cookies.begin(), got.cookies.end(), i + 1)) <= each);
}

} // namespace

BOOST_AUTO_TEST_CASE(each_stack_is_the_way_that_was_gone, *needs("bpf")
    * lends() * description("A stack that was stored is exact, and whole: it "
    "was walked by rules up to an outermost frame."))
{
	check_tree("by_memory", 1, 4000);
}

BOOST_AUTO_TEST_CASE(several_objects_share_rules, *needs("bpf") * lends()
    * description("Any number of objects may be attached to the same rules."))
{
	check_tree("by_raw_tp", long_run() ? 4 : 3, long_run() ? 65536 : 4000);
}

BOOST_AUTO_TEST_CASE(the_first_event_is_not_lost, *needs("bpf") * lends()
    * description("So the first event of a process has its stack, too."))
{
	const rules r = open_rules();
	caller c("by_raw_tp", r.get());
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	staged p("deep_lean", {"6", "1"});
	c.ask(p.pid(), 0x123456789abcdef0);
	taken got;
	got.until_done(p, r.get(), {&c});
	BOOST_TEST(c.answered().sent == 1u);
	BOOST_REQUIRE(got.samples.size() == 1u);
	BOOST_TEST(got.cookies[0] == 0x123456789abcdef0u);
	const std::vector<std::string> names = got.samples[0].user.names();
	BOOST_TEST(std::count(names.begin(), names.end(), "descend") == 7);
	BOOST_TEST(got.samples[0].user.has("main"));
	BOOST_TEST(got.samples[0].comm == "deep_lean");
	BOOST_TEST(got.samples[0].thread.pid == p.pid());
	BOOST_TEST(got.samples[0].event == "trigger");
}

BOOST_AUTO_TEST_CASE(deep_stacks_are_sent, *needs("bpf") * lends()
    * description("A stack of more than 127 frames is sent."))
{
	const rules r = open_rules();
	caller c("by_raw_tp", r.get());
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	staged p("deep_lean", {"300", "200"});
	c.ask(p.pid());
	taken got;
	got.until_done(p, r.get(), {&c});
	BOOST_TEST(c.answered().sent == 200u);
	BOOST_TEST(got.samples.size() == 200u);
	for (const kept_sample &k : got.samples) {
		const std::vector<std::string> names = k.user.names();
		BOOST_TEST(std::count(names.begin(), names.end(),
		    "descend") == 301);
	}
}

BOOST_AUTO_TEST_CASE(samples_are_sent_if_there_is_no_memory_for_them,
    *needs("bpf") * lends() * description("With to NULL the sample is always "
    "sent."))
{
	const rules r = open_rules();
	caller c("by_raw_tp", r.get());
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	staged tree("tree_lean", {"1000"});
	c.ask(tree.pid(), 7, true);
	taken got;
	got.until_done(tree, r.get(), {&c});
	const answers a = c.answered();
	BOOST_TEST(a.sent == ::events_of(1000));
	BOOST_TEST(a.stored == 0u);
	BOOST_TEST(ways(got.samples).wrong(1000).size() == 0u);
	BOOST_TEST(std::count(got.cookies.begin(), got.cookies.end(), 7u) ==
	    static_cast<std::ptrdiff_t>(a.sent));
}

// libbpf needs the files of tracefs.
BOOST_AUTO_TEST_CASE(a_tracepoint, *needs("bpf") * needs("mounts") * lends()
    * description("tracepoint Ta tracepoints"))
{
	BOOST_REQUIRE(own_mounts());
	(void)mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, nullptr);
	const rules r = open_rules();
	caller c("by_tracepoint", r.get());
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	staged tree("tree_lean", {"1000"});
	c.ask(tree.pid());
	c.attach();
	taken got;
	got.until_done(tree, r.get(), {&c});
	BOOST_TEST(ways(got.samples).wrong(1000).size() == 0u);
	BOOST_TEST((c.answered().stored > 0 || !counts_mappings()));
	umount("/sys/kernel/tracing");
}

BOOST_AUTO_TEST_CASE(a_probe_in_a_program, *needs("bpf") * lends()
    * description("kprobe Ta kprobes, and probes in programs and at their "
    "returns"))
{
	constexpr std::uint64_t times = 300;
	const rules r = open_rules();
	caller c("by_uprobe", r.get());
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	staged p("probes_lean", {std::to_string(times)});
	c.ask(p.pid());
	for (const char *const function : {"one", "two", "three"}) {
		LIBBPF_OPTS(bpf_uprobe_opts, o, .func_name = function);
		c.attach(bpf_program__attach_uprobe_opts(c.program(), p.pid(),
		    staged::path("probes_lean").c_str(), 0, &o));
	}
	LIBBPF_OPTS(bpf_uprobe_opts, o, .retprobe = true, .func_name = "two");
	c.attach(bpf_program__attach_uprobe_opts(c.program(), p.pid(),
	    staged::path("probes_lean").c_str(), 0, &o));
	taken got;
	got.until_done(p, r.get(), {&c});
	BOOST_TEST(events_in(got.samples) == 8 * times);
	BOOST_TEST(events_in(got.samples, "one") == times);
	BOOST_TEST(events_in(got.samples, "two") == 2 * times);
	BOOST_TEST(events_in(got.samples, "three") == 3 * times);
	BOOST_TEST(events_in(got.samples, "turn") == 8 * times);
	BOOST_TEST(events_in(got.samples, "main") == 8 * times);
	BOOST_TEST((c.answered().stored > 0 || !counts_mappings()));
}

BOOST_AUTO_TEST_CASE(samples_of_the_clock, *needs("bpf") * lends()
    * description("perf_event Ta samples of perf events"))
{
	const rules r = open_rules();
	caller c("by_perf_event", r.get());
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	staged p("spins_lean", {"1000"});
	c.ask(p.pid());
	perf_event_attr attr{};
	attr.size = sizeof attr;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.freq = 1;
	attr.sample_freq = 997;
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	for (int cpu = 0; cpu < cpus; cpu++)
		if (const long fd = syscall(SYS_perf_event_open, &attr, -1, cpu,
		    -1, PERF_FLAG_FD_CLOEXEC); fd >= 0)
			c.attach(bpf_program__attach_perf_event(c.program(),
			    static_cast<int>(fd)));
	taken got;
	got.until_done(p, r.get(), {&c});
	const auto all = static_cast<double>(events_in(got.samples));
	BOOST_TEST(all > 100);
	BOOST_TEST(static_cast<double>(events_in(got.samples, "main")) >
	    0.9 * all);
	const auto g = static_cast<double>(events_in(got.samples, "g"));
	BOOST_TEST(g > 0.5 * all);
	BOOST_TEST(g < 0.85 * all);
}

BOOST_AUTO_TEST_SUITE_END()
