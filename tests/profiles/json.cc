// Tests the JSON document.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model.h"
#include "tools/profiles/difference.h"
#include "tools/profiles/writers.h"

using boost::unit_test::description;
using nlohmann::json;

namespace {

std::string
in_hex(const std::string &bytes)
{
	std::string text;
	for (const char c : bytes)
		text += fmt::format("{:02x}", static_cast<unsigned char>(c));
	return text;
}

// The bytes of a member, from its _hex if it has one.
void
check_bytes(const json &object, const std::string &key,
    const std::string &bytes)
{
	if (object.contains(key + "_hex"))
		BOOST_TEST(object[key + "_hex"] == in_hex(bytes));
	else
		BOOST_TEST(object[key] == bytes);
}

} // namespace

BOOST_AUTO_TEST_SUITE(document)

BOOST_AUTO_TEST_CASE(members, *description("schema, event, unit, began_ns, "
    "took_ns, total, note, frames, stacks"))
{
	const json got = json::parse(profiles::json(small()));
	json head = got;
	head.erase("frames");
	head.erase("stacks");
	BOOST_TEST(head == json::parse(R"({"schema": 1, "event": "offcpu",
	    "unit": "microseconds", "began_ns": 1790000000123456789,
	    "took_ns": 2500000000, "total": {"events": 20, "weight": 100},
	    "note": "20 events, 4 stacks; 0 not kept"})"));
	BOOST_TEST(got["stacks"].size() == 4u);
	BOOST_TEST(got["stacks"][1] == json::parse(R"({"events": 5,
	    "weight": 20, "comm": "nginx", "pid": 17, "frames": [0, 1, 2]})"));
	BOOST_TEST(got["frames"][1] == json::parse(R"({"kind": "user",
	    "name": "parse", "linkage": "_Zparse", "module": "/usr/sbin/nginx",
	    "build_id": "abcdef0123456789", "address": "0x401010", "offset": 4,
	    "file": "parse.c", "line": 42})"));
	BOOST_TEST(got["frames"][2]["kind"] == "inlined");
	BOOST_TEST(got["frames"][5] == json::parse(R"({"kind": "kernel",
	    "name": "ksys_write", "module": "vmlinux"})"));
}

BOOST_AUTO_TEST_CASE(deleted_files_are_marked, *description("A file that has "
    "no name any more is marked (deleted)."))
{
	profiles::profile p = small();
	p.frames[1].flags |= tools::frame_deleted;
	const std::string text = profiles::json(p);
	BOOST_TEST(json::parse(text)["frames"][1]["deleted"] == true);
	BOOST_TEST(!json::parse(text)["frames"][0].contains("deleted"));
	profiles::profile read;
	BOOST_TEST(profiles::read_profile(text, read) == "");
	BOOST_TEST((read.frames[1].flags & tools::frame_deleted) != 0);
	BOOST_TEST((read.frames[0].flags & tools::frame_deleted) == 0);
	const std::string table = profiles::difference_text(
	    profiles::difference(small(), p), 10);
	BOOST_TEST(table.find("parse  [nginx (deleted)]") != table.npos, table);
}

BOOST_AUTO_TEST_CASE(any_name,
    *description("a string that is not UTF-8 is followed by NAME_hex"))
{
	const auto p = nasty();
	const std::string text = profiles::json(p);
	const json got = json::parse(text);
	BOOST_REQUIRE(got["frames"].size() == p.frames.size());
	BOOST_REQUIRE(got["stacks"].size() == p.stacks.size());
	check_bytes(got, "event", p.event);
	check_bytes(got, "note", p.note);
	std::size_t in_hex_only = 0;
	for (std::size_t i = 0; i < p.frames.size(); i++) {
		if (!p.frames[i].name.empty())
			check_bytes(got["frames"][i], "name", p.frames[i].name);
		in_hex_only += got["frames"][i].contains("name_hex");
	}
	BOOST_TEST(in_hex_only > 128u);
	for (std::size_t i = 0; i < p.stacks.size(); i++)
		if (!p.stacks[i].comm.empty())
			check_bytes(got["stacks"][i], "comm", p.stacks[i].comm);
	for (const char c : text)	// nothing that a terminal acts on
		BOOST_REQUIRE((c == '\n' || (c >= 0x20 && c < 0x7f)));
}

BOOST_AUTO_TEST_CASE(nothing, *description("a profile without stacks"))
{
	const json got = json::parse(profiles::json({}));
	BOOST_TEST(got["stacks"] == json::array());
	BOOST_TEST(got["frames"] == json::array());
	BOOST_TEST(got["total"]["weight"] == 0);
}

BOOST_AUTO_TEST_SUITE_END()
