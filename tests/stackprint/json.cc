// Tests stackprint(1), JSON: output that programs read.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <sstream>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "child.h"
#include "fake.h"

using boost::unit_test::description;
using nlohmann::json;

namespace {

// Every line has to be an object.
std::vector<json>
objects(std::vector<std::string> args, const std::string &words = "")
{
	args.insert(args.begin(), "--json");
	std::istringstream text(stackprint(args, words).out);
	std::vector<json> all;
	for (std::string line; std::getline(text, line);)
		all.push_back(json::parse(line));
	BOOST_REQUIRE(!all.empty());
	return all;
}

json
one(pid_t tid, std::vector<std::string> args = {})
{
	args.push_back(std::to_string(tid));
	const auto all = objects(args);
	BOOST_REQUIRE(all.size() == 2u);
	return all[0];
}

} // namespace

BOOST_AUTO_TEST_SUITE(for_programs)

BOOST_AUTO_TEST_CASE(a_thread,
    *description("JSON: schema, tid, pid, start, comm, state, cpu, when_ns, "
    "waits_in, kernel, user"))
{
	const json expected = json::parse(R"({
	    "schema": 1, "tid": 5000001, "pid": 5000000, "start": 1,
	    "comm": "nginx", "state": "S", "cpu": 1, "when_ns": 123456789,
	    "waits_in": "ep_poll",
	    "kernel": {"complete": true, "why": "complete", "route": "fake",
		"dropped": 0, "frames": [
		{"pc": "0xffffffff81000010", "name": "schedule", "offset": 16},
		{"pc": "0xffffffff8100131e", "name": "ep_poll", "offset": 798},
		{"pc": "0xffffffffc00000a0", "name": "nft_do_chain",
		 "offset": 160, "module": "nf_tables"}]}})");
	json got = one(fake::whole);
	const json user = got["user"];
	got.erase("user");
	BOOST_TEST(got == expected);
	BOOST_TEST(user["complete"] == true);
	BOOST_TEST(user["frames"].size() == 4u);
	const json first = json::parse(R"({
	    "pc": "0x7ffff7a0805e", "exact": true, "name": "epoll_wait",
	    "offset": 94, "module": "libc.so.6", "path": "/usr/lib/libc.so.6",
	    "build_id": "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
	    "vaddr": "0x805e"})");
	BOOST_TEST(user["frames"][0] == first);
	const json second = json::parse(R"json({
	    "pc": "0x55555555704d", "name": "_ZN3ngx7process6eventsEi",
	    "demangled": "ngx::process::events(int)", "offset": 77,
	    "module": "nginx", "path": "/usr/sbin/nginx", "deleted": true,
	    "build_id": "abababababababababababababababababababab",
	    "vaddr": "0x304d"})json");
	BOOST_TEST(user["frames"][1] == second);
}

BOOST_AUTO_TEST_CASE(lines_and_inlined_calls,
    *description("JSON: file, line and column with -l; inlined with -I"))
{
	const json frame = one(fake::whole, {"-Il"})["user"]["frames"][1];
	BOOST_TEST(frame["file"] == "/src/events.cc");
	BOOST_TEST(frame["line"] == 800);
	BOOST_TEST(!frame.contains("column"));
	const json inlined = json::parse(R"json([{
	    "name": "_ZN3ngx4stepEv", "demangled": "ngx::step()",
	    "file": "/src/step.h", "line": 12, "column": 3}])json");
	BOOST_TEST(frame["inlined"] == inlined);
	const json plain = one(fake::whole, {"-I"})["user"]["frames"];
	BOOST_TEST(!plain[1].contains("file"));
	BOOST_TEST(plain[0]["inlined"] == json::array());
}

BOOST_AUTO_TEST_CASE(what_is_missing,
    *description("JSON: complete, why and reason of each side"))
{
	const json cut = one(fake::truncated)["user"];
	BOOST_TEST(cut["complete"] == false);
	BOOST_TEST(cut["why"] == "truncated");
	BOOST_TEST(cut["dropped"] == 7);
	const json short_one = one(fake::torn_short)["user"];
	BOOST_TEST(short_one["why"] == "unwind");
	BOOST_TEST(short_one["reason"] == "stopped: no unwind information in "
	    "lib\\033odd.so");
	const json none = one(fake::user_mode)["kernel"];
	BOOST_TEST(none["why"] == "user_mode");
	BOOST_TEST(none["frames"] == json::array());
	const json traced = one(fake::traced)["user"];
	BOOST_TEST(traced["why"] == "traced");
	BOOST_TEST(traced["tracer"] == getpid());
	BOOST_TEST(one(fake::by_pointers)["user"]["frame_pointers"] == true);
}

BOOST_AUTO_TEST_CASE(sides,
    *description("JSON: a side that was not asked for is not there; user is "
    "null for a kernel thread"))
{
	BOOST_TEST(!one(fake::whole, {"-k"}).contains("user"));
	BOOST_TEST(!one(fake::whole, {"-u"}).contains("kernel"));
	BOOST_TEST(one(fake::kthread)["user"] == nullptr);
}

BOOST_AUTO_TEST_CASE(any_byte,
    *description("JSON: a name that is not UTF-8 is valid JSON and loses "
    "nothing: U+FFFD, and the bytes in hex beside it"))
{
	const json all = one(fake::hostile);
	BOOST_TEST(all["comm"] == "a\n\033]0;b\303\233");
	BOOST_TEST(!all.contains("comm_hex"));
	const json frame = all["user"]["frames"][0];
	BOOST_TEST(frame["name"] == "bad\357\277\275\033name");
	BOOST_TEST(frame["name_hex"] == "626164ff1b6e616d65");
	BOOST_TEST(!frame.contains("demangled"));
	for (const char c : stackprint({"--json", "5000013"}).out)
		BOOST_TEST((c == '\n' || (c >= 0x20 && c < 0x7f)));
}

BOOST_AUTO_TEST_CASE(names_alone,
    *description("JSON: frames of a route that has names and no addresses "
    "have no pc"))
{
	const json named = json::parse(R"([
	    {"name": "schedule", "offset": 16},
	    {"name": "pipe_read", "offset": 47, "module": "pipes"}])");
	BOOST_TEST(one(fake::text)["kernel"]["frames"] == named);
	const json unnamed = one(fake::nameless);
	const json nameless = json::parse(R"([{"pc": "0xffffffff90000000"}])");
	BOOST_TEST(unnamed["kernel"]["frames"] == nameless);
	const json anonymous = json::parse(R"({"pc": "0x7fff00000040"})");
	BOOST_TEST(unnamed["user"]["frames"][2] == anonymous);
}

BOOST_AUTO_TEST_CASE(the_tally_comes_last,
    *description("JSON: the last object has the counts; every thread that is "
    "counted has an object, one that is gone too"))
{
	const auto all = objects({"-p", "5000000"});
	BOOST_TEST(all.size() == fake::roles + 1u);
	const json tally = json::parse(R"({"schema": 1, "tally": {
	    "threads": 20, "captured": 11, "partial": 5, "without": 0,
	    "failed": 2, "refused": 1, "gone": 1, "ended_early": false}})");
	BOOST_TEST(all.back() == tally);
	const json gone = one(fake::process);
	BOOST_TEST(gone["tid"] == int{fake::process});
	BOOST_TEST(gone["state"] == "?");
	BOOST_TEST(gone["cpu"] == nullptr);
	BOOST_TEST(gone["kernel"]["why"] == "gone");
	const auto cut = objects({"-p", "5000100"}, "no-end");
	BOOST_TEST(cut.back()["tally"]["ended_early"] == true);
}

BOOST_AUTO_TEST_CASE(groups,
    *description("JSON: With --group a line is a group."))
{
	const auto all = objects({"--group", "-p", "5000100"});
	BOOST_REQUIRE(all.size() == 2u);
	BOOST_TEST(all[0]["count"] == int{fake::crowd_size});
	BOOST_TEST(all[0]["threads"].size() == std::size_t{fake::crowd_size});
	const json member = json::parse(R"({"tid": 5000101,
	    "pid": 5000100, "comm": "nginx", "state": "S", "cpu": 1})");
	BOOST_TEST(all[0]["threads"][0] == member);
	BOOST_TEST(all[0]["kernel"]["frames"].size() == 3u);
	BOOST_TEST(all[0]["user"]["frames"].size() == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
