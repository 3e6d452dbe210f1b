// User sides that events walk by learned rules, against copies of the same
// stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core_calls.h"
#include "puppets.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(async_walked)

namespace {

using boost::unit_test::description;

constexpr char calls[] = "rawtracepoint:sys_enter";
constexpr char often[] = "profile:hz:997";

// A number of stack9_stats(3).
struct ways {
	std::uint64_t	walked = 0, copied = 0;

	static ways
	now()
	{
		ways all;
		stack9_stats([](void *arg, const char *name,
		    std::uint64_t value, const char *) {
			auto &to = *static_cast<ways *>(arg);
			if (std::string_view(name) == "async-walked")
				to.walked = value;
			if (std::string_view(name) == "async-captured")
				to.copied = value;
			return 0;
		}, &all);
		return all;
	}
};

// A user side, named by the space that its process had when it was collected.
struct side {
	std::vector<std::uintptr_t>	pcs;
	std::vector<std::string>	names;
	unsigned int			flags = 0;
	bool				whole = false;

	bool
	has(const std::string &name, std::size_t at) const
	{
		return names.size() > at &&
		    names[at].find(name) != std::string::npos;
	}
};

side
collect_now(stack9_id id)
{
	std::uintptr_t pcs[512];
	stack9::stack_record rec{};
	stack9::unique_space opened;
	rec.pcs = pcs;
	rec.max = 512;
	const int error = stack9::async_collect(id, nullptr, &rec, &opened);
	return {{pcs, pcs + rec.depth}, opened == nullptr ?
	    std::vector<std::string>() : names_in(opened.get(), rec),
	    rec.flags, error == 0 && rec.why == STACK9_WHY_NONE};
}

// Takes what comes until enough() says so.
void
take_until(const std::function<bool()> &enough,
    const std::function<void(const side &)> &see)
{
	do
		for (const stack9::arrival &r : stream::take_many(1)) {
			if (r.id == 0)
				continue;
			see(collect_now(r.id));
			core::release(r.id);
		}
	while (!enough());
}

void
forget_all()
{
	for (const stack9::arrival &r : stream::take())
		core::release(r.id);
}

bool
have_walked(const ways &before, std::uint64_t n)
{
	return ways::now().walked >= before.walked + n;
}

// "": this kernel and this CPU walk.  The first copies teach, if so.
std::string
no_walks()
{
	puppets p;
	p.run(puppets::call);
	const ways before = ways::now();
	watched w({calls, p.pid(), p.tid(), STACK9_USER, 0});
	for (int seen = 0; seen < 5000 && !have_walked(before, 1);)
		take_until([] { return true; }, [&](const side &) { seen++; });
	w.end();
	p.go_on();
	p.settle();
	forget_all();
	return have_walked(before, 1) ? "" : "events walk no stacks here";
}

auto
walks()
{
	return needs("async-walks", [] {
		static const std::string lack = no_walks();
		return lack;
	});
}

void *plugged;
void (*function)(void *);
std::uintptr_t outermost;	// of every stack: it leads nowhere

void
plug_in(puppets::strings &mine)
{
	plugged = dlopen(mine.word[2] != 0 ? STAGED "/plug_second.so" :
	    STAGED "/plug_first.so", RTLD_NOW);
	function = plugged == nullptr ? nullptr :
	    reinterpret_cast<void (*)(void *)>(dlsym(plugged,
	    mine.word[2] != 0 ? "second" : "first"));
	mine.word[1] = reinterpret_cast<std::uintptr_t>(function);
}

void
unplug(puppets::strings &)
{
	dlclose(plugged);
}

// Its frames are full of a return address at which a walk by other rules would
// end.
void
call_plugged(puppets::strings &mine)
{
	while (mine.word[0] == 0)
		function(reinterpret_cast<void *>(mine.word[3].load()));
}

// The thread has the process's id from then on.
void
become_another(puppets::strings &)
{
	const int null = open("/dev/null", O_RDWR);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	execl(STAGED "/deep_lean", "deep_lean", "20", "10000000", nullptr);
	abort();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_copy_and_walks_of_one_stack,
    *needs("bpf") * needs_task_work() * walks()
    * description("An event walks the user side at once if all of its frames "
    "have rules"))
{
	puppets p;
	p.run(puppets::call);
	forget_all();
	const ways before = ways::now();
	watched w({calls, p.pid(), p.tid(), STACK9_USER, 0});
	side first;
	take_until([&] { return have_walked(before, 2000); },
	    [&](const side &s) {
		    if (first.pcs.empty()) {
			    first = s;
			    BOOST_TEST(s.has("syscall", 0), joined(s.names));
			    BOOST_TEST(s.has("puppets4callE", 1));
			    BOOST_TEST(s.has("obey", 2));
		    }
		    BOOST_REQUIRE(s.whole);
		    BOOST_REQUIRE(s.pcs == first.pcs);
		    BOOST_REQUIRE(s.flags == first.flags);
	    });
	BOOST_TEST(ways::now().copied > before.copied);
	w.end();
	p.go_on();
	p.settle();
	forget_all();
}

BOOST_AUTO_TEST_CASE(in_an_interrupt, *needs("bpf") * needs_task_work()
    * walks() * description("An event walks the user side at once if all of "
    "its frames have rules"))
{
	puppets p;
	p.run(puppets::spin);
	forget_all();
	const ways before = ways::now();
	watched w({often, p.pid(), p.tid(), STACK9_USER, 0});
	side first;
	take_until([&] { return have_walked(before, 20); },
	    [&](const side &s) {
		    if (first.pcs.empty())
			    first = s;
		    BOOST_REQUIRE(s.whole);
		    BOOST_TEST(s.has("puppets4spinE", 0), joined(s.names));
		    BOOST_REQUIRE(s.pcs.size() == first.pcs.size());
		    BOOST_REQUIRE(std::equal(s.pcs.begin() + 1, s.pcs.end(),
			first.pcs.begin() + 1));
	    });
	BOOST_TEST(ways::now().copied > before.copied);
	w.end();
	p.go_on();
	p.settle();
	forget_all();
}

BOOST_AUTO_TEST_CASE(another_library_where_one_was,
    *needs("bpf") * needs_task_work() * walks()
    * description("A walk uses no rule of code that is not mapped any more"))
{
	puppets p;
	p.run(puppets::call);
	forget_all();
	watched w({calls, p.pid(), p.tid(), STACK9_USER, 0});
	take_until([] { return true; }, [&](const side &s) {
		outermost = s.pcs.back();
	});
	p.go_on();
	p.settle();
	std::uint64_t places[2] = {};
	for (int round = 0; round < 4; round++) {
		const bool second = round % 2 != 0;
		p.word(2) = second;
		p.run(plug_in);
		p.settle();
		places[second] = p.word(1);
		p.word(3) = outermost;
		p.word(0) = 0;
		p.order(call_plugged);
		forget_all();
		const ways before = ways::now();
		std::size_t depth = 0;
		take_until([&] { return have_walked(before, 500); },
		    [&](const side &s) {
			    const auto at = [&](std::size_t i) {
				    return s.has(second ? "second" : "first",
					i);
			    };
			    // The rest are of the thread's way there.
			    if (!at(1))
				    return;
			    BOOST_REQUIRE(s.whole);
			    BOOST_REQUIRE_MESSAGE(s.has("call_plugged", 2) &&
				s.has("obey", 3), joined(s.names));
			    BOOST_REQUIRE((depth == 0 ||
				depth == s.pcs.size()));
			    depth = s.pcs.size();
		    });
		BOOST_TEST(depth > 0u);
		p.go_on();
		p.settle();
		p.order(unplug);
		p.settle();
	}
	BOOST_TEST(places[0] == places[1]);
	w.end();
	forget_all();
}

BOOST_AUTO_TEST_CASE(another_program, *needs("bpf") * needs_task_work()
    * walks() * description("A walk uses no rule of code that is not mapped "
    "any more"))
{
	puppets p;
	p.run(puppets::call);
	forget_all();
	const ways first = ways::now();
	watched w({calls, p.pid(), 0, STACK9_USER, 0});
	take_until([&] { return have_walked(first, 100); },
	    [](const side &) {});
	p.go_on();
	p.settle();
	p.order(become_another);
	bool is_another = false;
	ways before = ways::now();
	take_until([&] { return is_another && have_walked(before, 1000); },
	    [&](const side &s) {
		    const auto n = std::count_if(s.names.begin(),
			s.names.end(), [](const std::string &name) {
				return name == "descend";
			});
		    // The thread that began the new program has its id no more.
		    if (n == 0 && !is_another)
			    return;
		    if (!is_another)
			    before = ways::now();
		    is_another = true;
		    BOOST_REQUIRE(s.whole);
		    BOOST_REQUIRE_MESSAGE(n == 21 && s.has("syscall", 0) &&
			s.has("main", 22), joined(s.names));
	    });
	BOOST_TEST(ways::now().copied > first.copied);
	w.end();
	p.end();
	forget_all();
}

BOOST_AUTO_TEST_SUITE_END()
