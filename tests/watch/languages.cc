// Tests that the functions which the programs have found at an event are those
// that the exact way finds while the thread still sleeps there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/programs.h"
#include "watching.h"
#include "walks.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(watch_languages)

namespace {

using words = std::vector<std::string>;

// Each waits for a byte, sleeps 200 times for 5 ms at the ends of different
// ways, and ends its output.
constexpr char python[] = R"(
import os, time
def first(n): time.sleep(.005) if n == 0 else first(n - 1)
def made(n):
    yield time.sleep(.005)
    yield first(n)
def by_sort(n): sorted([n], key=lambda x: first(x))
os.write(1, b".")
os.read(0, 1)
for i in range(67):
    first(i % 7)
    list(made(i % 5))
    by_sort(i % 3)
)";
constexpr char php[] = R"(
function first($n) { if ($n == 0) usleep(5000); else first($n - 1); }
function made($n) { yield usleep(5000); yield first($n); }
function by_map($n) { array_map(fn($x) => first($x), [$n]); }
echo "."; fread(STDIN, 1);
for ($i = 0; $i < 67; $i++) {
	first($i % 7);
	foreach (made($i % 5) as $x);
	by_map($i % 3);
}
)";
constexpr char ruby[] = R"(
def first(n) = n == 0 ? sleep(0.005) : first(n - 1)
def by_each(n) = [n].each { |x| first(x) }
def by_block(n) = yield(n)
$stdout.syswrite(".")
$stdin.sysread(1)
67.times do |i|
  first(i % 7)
  by_each(i % 5)
  by_block(i % 3) { |x| first(x) }
end
)";

// Lua sleeps for a child that does.
constexpr char lua[] = R"(
local function first(n)
	if n == 0 then os.execute("exec sleep .005") else first(n - 1) end
end
local function by_sort(n)
	table.sort({2, 1}, function(a, b) first(n) return a < b end)
end
local function by_coroutine(n)
	coroutine.wrap(function() pcall(first, n) end)()
end
io.write(".") io.flush()
io.read(1)
for i = 1, 67 do
	first(i % 7)
	by_sort(i % 5)
	by_coroutine(i % 3)
end
)";

struct sleeper {
	const char	*name;
	words		command;
};

const sleeper sleepers[] = {
	{"python", {"/usr/bin/python3", "-c", python}},
	{"php", {"/usr/bin/php", "-r", php}},
	{"ruby", {"/usr/bin/ruby", "-e", ruby}},
	{"lua 5.3", {"/usr/bin/lua5.3", "-e", lua}},
	{"lua 5.4", {"/usr/bin/lua5.4", "-e", lua}},
};

void
check_sleeper(const sleeper &of)
{
	const comparing both;
	lib::piped p = lib::start_piped(of.command);
	char c;
	BOOST_REQUIRE((p.pid > 0 && read(p.output, &c, 1) == 1));
	BOOST_REQUIRE(fcntl(p.output, F_SETFL, O_NONBLOCK) == 0);
	watching w("offcpu", only(p.pid), counted(STACK9_USER));
	BOOST_REQUIRE(write(p.input, "\n", 1) == 1);
	while (read(p.output, &c, 1) < 0)
		w.read(10);
	w.end();
	close(p.input);
	close(p.output);
	lib::kill_and_reap(p.pid);
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(t.asleep > 20u);
	BOOST_TEST(t.unlike == 0u);
	BOOST_TEST(t.differing == 0u);
}

} // namespace

BOOST_AUTO_TEST_CASE(functions_at_an_event_are_those_of_the_exact_way,
    *needs("bpf") * walks() * description("compare: Where the "
    "thread of an event sleeps on, its functions are compared with those of "
    "a capture."))
{
	for (const sleeper &of : sleepers)
		if (access(of.command[0].c_str(), X_OK) == 0)
			BOOST_TEST_CONTEXT(of.name)
				check_sleeper(of);
}

BOOST_AUTO_TEST_SUITE_END()
