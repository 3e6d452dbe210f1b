// Tests what the calls of <stack9_rules.h> return, and the pins.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lending.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <bpf/bpf.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/scratch.h"
#include "mounts.h"

BOOST_AUTO_TEST_SUITE(rules_contract)

namespace {

using boost::unit_test::description;

// This process makes the calls itself.
void
call(int times)
{
	for (int i = 0; i < times; i++)
		syscall(SYS_getppid);
}

constexpr const char *names[] = STACK9_BPF_MAPS;

} // namespace

BOOST_AUTO_TEST_CASE(without_rules, *needs("bpf") * lends()
    * description("An object that was loaded without rules runs all the same, "
    "and each of its calls returns STACK9_BPF_NONE."))
{
	caller c("by_raw_tp", nullptr);
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	c.ask(getpid());
	call(5);
	BOOST_TEST(c.answered().none == 5u);
}

BOOST_AUTO_TEST_CASE(after_the_end, *needs("bpf") * lends()
    * description("Once the rules are stopped or closed, calls return "
    "STACK9_BPF_NONE."))
{
	rules r = open_rules();
	const rules other = open_rules();
	caller c("by_raw_tp", r.get());
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	c.ask(getpid());
	call(5);
	BOOST_TEST(c.answered().none == 0u);
	BOOST_TEST(stack9_rules_stop(r.get()) == 0);
	call(5);
	BOOST_TEST(c.answered().none == 5u);
	r.reset();
	call(5);
	BOOST_TEST(c.answered().none == 10u);
	caller next("by_raw_tp", other.get());
	BOOST_REQUIRE_EQUAL(next.load(), 0);
	next.attach();
	next.ask(getpid());
	call(5);
	BOOST_TEST(next.answered().none == 0u);
}

BOOST_AUTO_TEST_CASE(a_bare_call_within_a_call, *needs("bpf") * lends())
{
	const rules r = open_rules();
	caller c("within", r.get());
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	staged p("deep_lean", {"3", "200"});
	c.ask(p.pid(), 5);
	taken got;
	got.until_done(p, r.get(), {});
	// Each bare one is sent, with no cookie.
	const answers a = c.answered();
	BOOST_TEST(a.stored + a.sent == 200u);
	BOOST_TEST(got.samples.size() == 200u + a.sent);
	BOOST_TEST(std::count(got.cookies.begin(), got.cookies.end(), 0u) ==
	    200);
}

BOOST_AUTO_TEST_CASE(wrong_arguments, *needs("bpf") * lends()
    * description("The stack is none that a call has stored, or size is not "
    "all of it."))
{
	const rules r = open_rules();
	stack9_bpf_stack s{};
	taken got;
	const auto sample = [&](std::size_t size) {
		return stack9_rules_sample(r.get(), &s, size, taken::add, &got);
	};
	BOOST_TEST(sample(sizeof s) == EINVAL);
	s.magic = STACK9_BPF_MAGIC;
	BOOST_TEST(sample(sizeof s) == EINVAL);	// no frames
	s.depth = STACK9_BPF_FRAMES + 1;
	BOOST_TEST(sample(sizeof s) == EINVAL);
	s.depth = 3;
	BOOST_TEST(sample(STACK9_BPF_SIZE(2)) == EINVAL);
	BOOST_TEST(sample(STACK9_BPF_SIZE(0) - 1) == EINVAL);
	BOOST_TEST(stack9_rules_sample(r.get(), &s, sizeof s, nullptr,
	    nullptr) == EINVAL);
	BOOST_TEST(got.samples.empty());
	int fd = -1;
	BOOST_TEST(stack9_rules_map(r.get(), "stack9_calls_0", &fd) == ENOENT);
	BOOST_TEST(stack9_rules_map(nullptr, names[0], &fd) == EINVAL);
	BOOST_TEST(fd == -1);
	stack9_rules *none = nullptr;
	stack9_rules_options o{};
	BOOST_TEST(stack9_rules_open(&o, &none) == EINVAL);
	o.size = sizeof o;
	o.pins = "relative";
	BOOST_TEST(stack9_rules_open(&o, &none) == EINVAL);
	o.pins = "/nowhere/at/all";
	BOOST_TEST(stack9_rules_open(&o, &none) == ENOENT);
	BOOST_TEST(none == nullptr);
	BOOST_TEST(stack9_rules_open(nullptr, nullptr) == EINVAL);
}

BOOST_AUTO_TEST_CASE(the_wrong_argument_is_named)
{
	stack9_tally tally{};
	const stack9_bpf_stack s{};
	int fd = -1;
	const auto names = [](int error, const std::string &what) {
		BOOST_TEST(error == EINVAL);
		BOOST_TEST(std::string(stack9_reason()).starts_with(what + " "),
		    stack9_reason());
	};
	names(stack9_rules_open(nullptr, nullptr), "rules");
	names(stack9_rules_map(nullptr, "", &fd), "rules");
	names(stack9_rules_fd(nullptr, &fd), "rules");
	names(stack9_rules_read(nullptr, 0, taken::add, nullptr), "rules");
	names(stack9_rules_sample(nullptr, &s, sizeof s, taken::add, nullptr),
	    "rules");
	names(stack9_rules_stop(nullptr), "rules");
	names(stack9_rules_tally(nullptr, &tally), "rules");
	BOOST_TEST(stack9_rules_wake(nullptr) == EINVAL);
	stack9_rules_close(nullptr);
	stack9_rules_options o{};
	stack9_rules *none;
	names(stack9_rules_open(&o, &none), "options->size");
	o.size = sizeof o;
	o.flags = 2;
	names(stack9_rules_open(&o, &none), "options->flags");
	o.flags = 0;
	o.pins = "/a,b";
	names(stack9_rules_open(&o, &none), "options->pins");
}

// A stack that nobody stored is named as far as it can be.
BOOST_AUTO_TEST_CASE(forged_stacks, *needs("bpf") * lends())
{
	const rules r = open_rules();
	stack9_bpf_stack s{};
	std::memset(&s, 0xff, sizeof s);
	s.magic = STACK9_BPF_MAGIC;
	s.depth = STACK9_BPF_FRAMES;
	s.tid = s.pid = s.host_tid = 0x7ffffff0;
	s.known[2] = 0x3fff;
	taken got;
	BOOST_TEST(stack9_rules_sample(r.get(), &s, sizeof s, taken::add,
	    &got) == 0);
	BOOST_REQUIRE(got.samples.size() == 1u);
	BOOST_TEST(got.samples[0].user.pcs.size() == STACK9_BPF_FRAMES);
	BOOST_TEST(got.samples[0].comm.size() == 16u);
	s.known[2] = ~0ULL;
	BOOST_TEST(stack9_rules_sample(r.get(), &s, sizeof s, taken::add,
	    &got) == 0);
}

BOOST_AUTO_TEST_CASE(an_object_without_the_maps, *needs("bpf") * lends()
    * description("The object does not include the header of this version."))
{
	const rules r = open_rules();
	bpf_object *const o = bpf_object__open_file(EMPTY, nullptr);
	BOOST_REQUIRE(o != nullptr);
	BOOST_TEST(stack9_rules_attach(r.get(), o) == ENOENT);
	bpf_object__close(o);
}

BOOST_AUTO_TEST_CASE(pins, *needs("bpf") * needs("mounts") * lends()
    * description("The maps of the border are pinned there by their names, "
    "until the rules are closed."))
{
	const lib::scratch dir;
	BOOST_REQUIRE(own_mounts());
	BOOST_REQUIRE_EQUAL(mount("bpf", dir.path().c_str(), "bpf", 0,
	    nullptr), 0);
	stack9_rules_options o{};
	o.size = sizeof o;
	o.pins = dir.path().c_str();
	rules r = open_rules(&o);
	// As a loader that knows nothing of the library.
	caller c("bare", nullptr);
	for (const char *const name : names) {
		const int fd = bpf_obj_get((dir.path() + "/" + name).c_str());
		BOOST_TEST(fd >= 0);
		BOOST_TEST(bpf_map__reuse_fd(c.map(name), fd) == 0);
		close(fd);
	}
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	c.ask(getpid(), 0xfedcba9876543210);
	call(3);
	taken got;
	while (got.samples.size() < 3)
		got.read(r.get(), {}, 1000);
	BOOST_TEST(got.cookies == std::vector<std::uint64_t>(3,
	    0xfedcba9876543210), boost::test_tools::per_element());
	BOOST_TEST(events_in(got.samples, "main") == 3u);
	BOOST_TEST(c.answered().none == 0u);
	// The next one takes the directory.
	rules next = open_rules(&o);
	r.reset();
	BOOST_TEST(access((dir.path() + "/" + names[0]).c_str(), F_OK) == 0);
	next.reset();
	for (const char *const name : names)
		BOOST_TEST(access((dir.path() + "/" + name).c_str(),
		    F_OK) != 0);
	umount(dir.path().c_str());
}

BOOST_AUTO_TEST_SUITE_END()
