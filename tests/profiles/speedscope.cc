// Tests speedscope's file by the rules of its published schema.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "model.h"
#include "tools/profiles/writers.h"

using boost::unit_test::description;
using nlohmann::json;

namespace {

// Checks what file-format-schema.json requires of a file, of a sampled profile
// and of a frame, and what its program relies on besides.
void
check_frames(const json &frames)
{
	BOOST_REQUIRE(frames.is_array());
	for (const json &f : frames) {
		BOOST_REQUIRE(f.at("name").is_string());
		for (const auto &[key, value] : f.items())
			BOOST_REQUIRE((((key == "name" || key == "file") &&
			    value.is_string()) || ((key == "line" ||
			    key == "col") && value.is_number())));
	}
}

void
check_profile(const json &p, std::size_t frames)
{
	static const json units = {"none", "nanoseconds", "microseconds",
		"milliseconds", "seconds", "bytes"};
	BOOST_TEST(p.at("type") == "sampled");
	BOOST_TEST(p.at("name").is_string());
	BOOST_TEST((std::find(units.begin(), units.end(), p.at("unit")) !=
	    units.end()));
	BOOST_REQUIRE(p.at("samples").size() == p.at("weights").size());
	for (const json &s : p["samples"])
		for (const json &f : s)
			BOOST_REQUIRE(f.get<std::size_t>() < frames);
	std::uint64_t sum = 0;
	for (const json &w : p["weights"])
		sum += w.get<std::uint64_t>();
	BOOST_TEST(p.at("startValue") == 0);
	BOOST_TEST(p.at("endValue") == sum);
}

json
checked(const std::string &text)
{
	const json file = json::parse(text);
	BOOST_TEST(file.at("$schema") ==
	    "https://www.speedscope.app/file-format-schema.json");
	BOOST_TEST(file.at("name").is_string());
	BOOST_TEST(file.at("exporter") == "stack9");
	BOOST_TEST(file.at("activeProfileIndex") == 0);
	check_frames(file.at("shared").at("frames"));
	BOOST_REQUIRE(file.at("profiles").size() == 1u);
	check_profile(file["profiles"][0], file["shared"]["frames"].size());
	return file;
}

// "outer;inner" of a sample.
std::string
path(const json &file, std::size_t sample)
{
	std::string text;
	for (const json &f : file["profiles"][0]["samples"][sample])
		text += (text.empty() ? "" : ";") + file["shared"]["frames"]
		    [f.get<std::size_t>()]["name"].get<std::string>();
	return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(speedscope)

BOOST_AUTO_TEST_CASE(samples, *description("frames, samples, weights, unit"))
{
	const json file = checked(profiles::speedscope(small()));
	const json &p = file["profiles"][0];
	BOOST_TEST(p["unit"] == "microseconds");
	BOOST_TEST(p["weights"] == json({50, 20, 10, 20}));
	BOOST_TEST(path(file, 1) == "nginx;main;parse;scan");
	BOOST_TEST(path(file, 2) == "nginx;main;write;--;ksys_write");
}

BOOST_AUTO_TEST_CASE(one_function,
    *description("a function is one frame wherever it is called"))
{
	profiles::profile p;
	p.unit = "events";
	for (unsigned int i = 1; i <= 3; i++) {
		profiles::frame &f = p.frames.emplace_back();
		f.name = "f";
		f.address = i;
		f.line = i;
	}
	p.stacks.push_back({{0, 1, 2}, "", 0, 1, 1});
	const json file = checked(profiles::speedscope(p));
	BOOST_TEST(file["shared"]["frames"] ==
	    json::parse(R"([{"name":"f"}])"));
	BOOST_TEST(file["profiles"][0]["samples"] == json::parse("[[0,0,0]]"));
	BOOST_TEST(file["profiles"][0]["unit"] == "none");
}

BOOST_AUTO_TEST_CASE(any_name, *description("any name, in UTF-8"))
{
	const json file = checked(profiles::speedscope(nasty()));
	BOOST_TEST(file["profiles"][0]["samples"].size() ==
	    nasty_names().size());
	checked(profiles::speedscope({}));
	checked(profiles::speedscope(many(1000)));
}

BOOST_AUTO_TEST_SUITE_END()
