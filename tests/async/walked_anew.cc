// Tests user sides that events walk by learned rules, of code that takes the
// place of other code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "puppets.h"
#include "walked_sides.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(async_walked)

namespace {

using boost::unit_test::description;

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
