// Tests what JITs say of their code: anybody's text, and growing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "core/seam/record.h"
#include "symbols/perf_map.h"
#include "symbols/perf_map_file.h"
#include "require.h"
#include "workshop.h"

using boost::unit_test::description;
using stack9::perf_map;

namespace {

std::string
name_in(const perf_map &m, std::uint64_t pc)
{
	char text[stack9::name_max];
	const auto *const e = m.find(pc);
	if (e == nullptr)
		return "none";
	m.name(*e, text, sizeof(text));
	return fmt::format("{}+{:#x}", text, pc - e->start);
}

std::string
map_path(const held &p)
{
	return fmt::format("/tmp/perf-{}.map", p.pid());
}

// Removed at the end, whatever happens.
class map_of {
	const std::string path;

public:
	explicit map_of(const held &p) : path(map_path(p)) {}
	map_of(const map_of &) = delete;
	~map_of() { unlink(path.c_str()); }
	const char *name() const { return path.c_str(); }
	void
	add(std::uintptr_t at, const std::string &what) const
	{
		std::ofstream(path, std::ios::app) << fmt::format("{:x} {}\n",
		    at, what);
	}
};

} // namespace

BOOST_AUTO_TEST_SUITE(perf_maps)

BOOST_AUTO_TEST_CASE(a_line_is_a_function)
{
	const perf_map m("1000 10 one\n2000 20 a name with blanks\n"
	    "0x3000 0x8 three\n");
	BOOST_TEST(m.size() == 3);
	BOOST_TEST(name_in(m, 0xfff) == "none");
	BOOST_TEST(name_in(m, 0x1000) == "one+0x0");
	BOOST_TEST(name_in(m, 0x100f) == "one+0xf");
	BOOST_TEST(name_in(m, 0x1010) == "none");
	BOOST_TEST(name_in(m, 0x2001) == "a name with blanks+0x1");
	BOOST_TEST(name_in(m, 0x3007) == "three+0x7");
}

BOOST_AUTO_TEST_CASE(memory_that_was_used_again)
{
	const perf_map m("1000 1000 first\n1400 100 second\n"
	    "1480 1000 third\n1200 10 fourth\n1200 10 fifth\n");
	BOOST_TEST(name_in(m, 0x1000) == "first+0x0");
	BOOST_TEST(name_in(m, 0x1208) == "fifth+0x8");
	BOOST_TEST(name_in(m, 0x1210) == "first+0x210");
	BOOST_TEST(name_in(m, 0x1400) == "second+0x0");
	BOOST_TEST(name_in(m, 0x147f) == "second+0x7f");
	BOOST_TEST(name_in(m, 0x1480) == "third+0x0");
	BOOST_TEST(name_in(m, 0x1fff) == "third+0xb7f");
	BOOST_TEST(name_in(m, 0x247f) == "third+0xfff");
	BOOST_TEST(name_in(m, 0x2480) == "none");
}

BOOST_AUTO_TEST_CASE(what_is_no_line_is_skipped)
{
	const perf_map m("\n \nfoo\n1000\n1000 \n1000 10\n1000 10 \n"
	    "1000 0 nothing\n-1 10 minus\nffffffffffffffff 2 wraps\n"
	    "11112222333344445 1 long\n10 fffffffffffffff0 all\n"
	    "1000 zz x\n1000 10 last without its end");
	BOOST_TEST(m.size() == 0);
	BOOST_TEST(perf_map("").find(0) == nullptr);
	BOOST_TEST(name_in(perf_map("10 ffffffffffffffe0 most\n"),
	    UINT64_MAX - 16) == "most+0xffffffffffffffdf");
}

BOOST_AUTO_TEST_CASE(names_are_cut_between_characters)
{
	std::string name;
	while (name.size() < 3000)
		name += "\u20ac";	// three bytes
	const perf_map m("1000 10 " + name + "\n2000 10 a\x1b[31m\tb\n");
	char text[stack9::name_max];
	m.name(*m.find(0x1000), text, sizeof(text));
	BOOST_TEST(strlen(text) == 1023 / 3 * 3);
	BOOST_TEST(name.starts_with(text));
	m.name(*m.find(0x1000), text, 5);
	BOOST_TEST(std::string(text) == "\u20ac");
	BOOST_TEST(name_in(m, 0x2000) == "a?[31m?b+0x0");
}

BOOST_AUTO_TEST_CASE(of_a_process, *description(
    "or from the perf map that a JIT keeps in its /tmp"))
{
	const held p;
	const map_of map(p);
	map.add(p.at("jit"), "40 int jit::Twice(int)");
	const opened_space s(p.pid());
	const std::string module = fmt::format(" perf-{}.map", p.pid());
	BOOST_TEST(s.name(p.at("jit") + 4) ==
	    "int jit::Twice(int)+0x4" + module);
	BOOST_TEST(s.name(p.at("jit") + 0x40, true) ==
	    "int jit::Twice(int)+0x40" + module);
	BOOST_TEST(s.name(p.at("jit") + 0x40) ==
	    fmt::format("errno {}", ENOENT));
	// Looked at again once a second.
	map.add(p.at("jit") + 0x40, "40 late");
	const std::time_t limit = std::time(nullptr) + 30;
	std::string name;
	do
		name = s.name(p.at("jit") + 0x40);
	while (name != "late+0x0" + module && std::time(nullptr) < limit);
	BOOST_TEST(name == "late+0x0" + module);
}

BOOST_AUTO_TEST_CASE(of_a_thread_that_is_not_its_processs_first)
{
	const std::string path = "/tmp/" + stack9::perf_map_name(getpid());
	std::ofstream(path) << "1000 10 x\n";
	pid_t inner = 0;
	bool found = false;
	std::thread([&] {
		found = static_cast<bool>(stack9::open_perf_map({gettid(),
		    getpid(), 0}, inner));
	}).join();
	unlink(path.c_str());
	BOOST_TEST(found);
	BOOST_TEST(inner == getpid());
}

BOOST_AUTO_TEST_CASE(of_a_process_only_by_its_owner, *needs("root"))
{
	const held p;
	const map_of map(p);
	map.add(p.at("jit"), "40 forged");
	BOOST_REQUIRE(chown(map.name(), 65534, 65534) == 0);
	const opened_space s(p.pid());
	BOOST_TEST(s.name(p.at("jit")) == fmt::format("errno {}", ENOENT));
}

BOOST_AUTO_TEST_CASE(of_a_process_never_a_fifo_or_a_link)
{
	{
		const held p;
		const map_of map(p);
		BOOST_REQUIRE(mkfifo(map.name(), 0600) == 0);
		const opened_space s(p.pid());
		BOOST_TEST(s.name(p.at("jit")) ==
		    fmt::format("errno {}", ENOENT));
	}
	const held p;
	const workshop w;
	std::ofstream(w / "map") << fmt::format("{:x} 40 linked\n",
	    p.at("jit"));
	const map_of map(p);
	BOOST_REQUIRE(symlink((w / "map").c_str(), map.name()) == 0);
	const opened_space s(p.pid());
	BOOST_TEST(s.name(p.at("jit")) == fmt::format("errno {}", ENOENT));
}

BOOST_AUTO_TEST_SUITE_END()
