// Finds Lua in a process, and the thread's frames in it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "languages/reported.h"
#include "languages/stripped.h"

#include "at_event.h"
#include "weave.h"

namespace stack9::languages {
namespace lua {
namespace {

constexpr std::string_view ident = "$LuaVersion: Lua 5.";

std::unique_ptr<process::attachment>
find_lua_places(process::file &f)
{
	static constexpr std::string_view wanted[] = {"lua_ident",
	    "lua_resume"};
	found_symbol found[std::size(wanted)];
	find_symbols(f, wanted, found);
	auto made = std::make_unique<places>();
	made->identity = found[0];
	made->resume = found[1];
	return made;
}

// A text that is kept for people has the release.  5.4.3 gave states one more
// member, and comparisons names of their own; 5.3.4 a second byte to the status
// of calls.
layout
layout_of(unwind::memory &m, const places &p, std::uint64_t bias,
    std::string &why)
{
	std::array<char, 24> text{};
	unsigned int minor = 0, release = 0;
	if (p.identity.vaddr == 0 || !m.read(p.identity.vaddr + bias,
	    text.data(), text.size() - 1) || std::sscanf(text.data(),
	    "$LuaVersion: Lua 5.%u.%u", &minor, &release) != 2) {
		why = "lua: its version is not known";
		return {};
	}
	layout l = minor == 3 ? release_5_3 : minor == 4 ? release_5_4 :
	    layout{};
	if (minor == 4 && release < 3) {
		l.jump -= 8;
		l.has_order = true;
	}
	if (minor == 3 && release < 4)
		l.is_finalizer = 0;
	if (l.minor == 0)
		why = "lua 5." + std::to_string(minor) +
		    ": its layout is not known";
	return l;
}

} // namespace

class lua5 final : public runtime {
public:
	constexpr lua5() noexcept : runtime("lua", marks_, 100) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = places_in(where);
		std::string why;
		const layout l = layout_of(q.words, p, where.bias, why);
		if (l.minor == 0)
			to.note = why;
		else
			weave(q, where, p, l, to).run();
	}

	bool
	walk_event(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = places_in(where);
		const layout l = kept_with<kept_layouts<layout>>(q.space).find(
		    where.bias, [&] {
			return layout_of(q.words, p, where.bias, to.note);
		}, [](const layout &its) { return its.minor != 0; });
		return l.minor != 0 && add_reported(q, where, p, l, to);
	}

	// The loop is then one of many large functions of the program.
	std::string
	what_is_stripped(process::file &f) const override
	{
		const std::string text = text_of_stripped(f, ident);
		const std::string release = text.substr(std::min(text.size(),
		    ident.size()));
		const std::size_t end = std::min(release.size(),
		    release.find_first_not_of("0123456789."));
		return end == 0 ? std::string() : "lua 5." +
		    release.substr(0, end) +
		    ": the program has lost the symbols of it";
	}

private:
	static const places &
	places_in(const loaded &where)
	{
		return kept_with<places>(where.backing, [&] {
			return find_lua_places(where.backing);
		});
	}

	static constexpr std::string_view marks_[] = {"lua_pcallk"};
};

} // namespace lua

static constexpr lua::lua5 the_lua;
extern const runtime &runtime_lua;
const runtime &runtime_lua = the_lua;

} // namespace stack9::languages
