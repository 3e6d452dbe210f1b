// Compares stacks of random programs with what Ruby says of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <regex>

#include <fmt/format.h>

#include "require.h"
#include "ruby_program.h"

namespace {

// "rescue in block in Shop#reserve": what is before the class, the class with
// its sign, and the method.
struct parts {
	std::string	before, owner, method;
};

parts
parts_of(const std::string &name)
{
	static const std::regex form(
	    "((?:(?:rescue|ensure|block(?: \\(\\d+ levels\\))?) in )*)"
	    "((?:[A-Z]\\w*)(?:::[A-Z]\\w*)*[#.])?(.*)");
	std::smatch m;
	std::regex_match(name, m, form);
	return {m[1], m[2], m[3]};
}

// The class that a method of generated.rb has in its name.
std::string
owner_of(const std::string &method)
{
	static const std::regex form("\\w+_(of|on)_(\\w+)");
	std::smatch m;
	if (method.starts_with("k_") || method == "method_missing" ||
	    method == "initialize")
		return "Shop#";
	if (method == "to_s" || method == "<=>")
		return "Pair#";
	if (!std::regex_match(method, m, form) || m[2] == "none")
		return "";
	return std::regex_replace(m[2].str(), std::regex("__"), "::") +
	    (m[1] == "of" ? '#' : '.');
}

// Ruby gives a function in C the place of the frame that called it, and no
// class before 3.4.
void
same_place(const place &ours, const place &theirs)
{
	const parts p = parts_of(ours.name);
	BOOST_TEST(p.before + p.method == theirs.name);
	if (ours.file.empty()) {
		BOOST_TEST(!p.owner.empty());
		return;
	}
	BOOST_TEST(ours.file == theirs.file);
	BOOST_TEST(ours.line == theirs.line);
	if (ours.file == "-e" && p.method != "above")
		BOOST_TEST(p.owner == owner_of(p.method));
}

void
compare(const ruby_program &p, const seen_stacks &all)
{
	for (const auto &[tid, theirs] : p.printed()) {
		const auto found = all.find(tid);
		BOOST_REQUIRE(found != all.end());
		const backtrace ours = found->second.written();
		BOOST_TEST_CONTEXT("thread " << tid << '\n' <<
		    found->second.text()) {
			BOOST_TEST(ours.size() == theirs.size());
			for (std::size_t i = 0; i < std::min(ours.size(),
			    theirs.size()); i++)
				same_place(ours[i], theirs[i]);
			for (const seen_frame &f : found->second.frames)
				BOOST_TEST(!f.is_guessed);
		}
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(random_stacks, *has_ruby() * boost::unit_test::description(
    "ISSUE: 1,000 sleeping stacks of generated programs equal to the runtime's "
    "own dump (Thread#backtrace), frame by frame with lines"))
{
	const int programs = rounds(10, 2);
	std::size_t stacks = 0, frames = 0;
	for (int seed = 1; seed <= programs; seed++) {
		const ruby_program p("generated.rb", {fmt::format("{}", seed),
		    "100", "14"});
		compare(p, capture(p.pid()));
		stacks += p.printed().size();
		for (const auto &[tid, b] : p.printed())
			frames += b.size();
	}
	BOOST_TEST(stacks == 100u * static_cast<unsigned int>(programs));
	BOOST_TEST_MESSAGE(stacks << " stacks of " << frames << " frames");
}
