// Recognizes the formats by their first byte, and believes nothing, because
// files come from other machines.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "difference.h"

#include <charconv>
#include <cstdint>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "words.h"

namespace profiles {
namespace {

using nlohmann::json;

class folded_reader {
public:
	explicit folded_reader(profile &to) : to_(to) {}

	std::string
	read(std::string_view text)
	{
		for (std::size_t line = 1; !text.empty(); line++) {
			const std::size_t end = text.find('\n');
			if (!add(text.substr(0, end)))
				return fmt::format("line {} is not a folded "
				    "stack, \"outer;inner 12\"", line);
			text.remove_prefix(end == text.npos ? text.size() :
			    end + 1);
		}
		return to_.stacks.empty() ? "there are no stacks in it" : "";
	}

private:
	std::uint32_t
	frame_of(std::string_view name)
	{
		const auto [it, is_new] = known_.try_emplace(std::string(name),
		    static_cast<std::uint32_t>(to_.frames.size()));
		if (!is_new)
			return it->second;
		frame &f = to_.frames.emplace_back();
		f.kind = name.ends_with("_[k]") ? frame_kind::kernel :
		    name.ends_with("_[i]") ? frame_kind::inlined :
		    frame_kind::user;
		f.name = f.kind == frame_kind::user ? name :
		    name.substr(0, name.size() - 4);
		return it->second;
	}
	bool
	add(std::string_view line)
	{
		if (line.empty() || line[0] == '#')
			return true;
		const std::size_t blank = line.rfind(' ');
		stack s;
		if (blank == line.npos || blank == 0)
			return false;
		const char *const end = line.data() + line.size();
		const auto [at, error] = std::from_chars(line.data() + blank +
		    1, end, s.weight);
		if (at != end || error != std::errc())
			return false;
		for (std::string_view left = line.substr(0, blank);;) {
			const std::size_t n = left.find(';');
			s.frames.push_back(frame_of(left.substr(0, n)));
			if (n == left.npos)
				break;
			left.remove_prefix(n + 1);
		}
		s.events = s.weight;
		to_.stacks.push_back(std::move(s));
		return true;
	}

	profile	&to_;
	std::unordered_map<std::string, std::uint32_t> known_;
};

frame_kind
kind_of(const std::string &text)
{
	for (const frame_kind k : {frame_kind::kernel, frame_kind::inlined,
	    frame_kind::delimiter, frame_kind::process, frame_kind::note,
	    frame_kind::language})
		if (text == word(k))
			return k;
	return frame_kind::user;
}

// Throws json::exception for what has another type.
std::string
read_json(std::string_view text, profile &to)
{
	const json all = json::parse(text);
	if (all.at("schema") != 1)
		return "its schema is not 1";
	to.event = all.value("event", "");
	to.unit = all.value("unit", "");
	to.began_ns = all.value("began_ns", std::uint64_t{0});
	to.took_ns = all.value("took_ns", std::uint64_t{0});
	for (const json &from : all.at("frames")) {
		frame &f = to.frames.emplace_back();
		f.kind = kind_of(from.value("kind", ""));
		f.name = from.at("name").get<std::string>();
		f.module = from.value("module", "");
		f.flags |= tools::frame_in_file;
		if (from.value("deleted", false))
			f.flags |= tools::frame_deleted;
		if (f.kind != frame_kind::language)
			continue;
		f.file = from.value("file", "");
		f.line = from.value("line", 0U);
		f.language = from.value("language", "");
	}
	for (const json &from : all.at("stacks")) {
		stack &s = to.stacks.emplace_back();
		s.events = from.at("events").get<std::uint64_t>();
		s.weight = from.at("weight").get<std::uint64_t>();
		s.comm = from.value("comm", "");
		s.pid = from.value("pid", 0);
		s.frames = from.at("frames").get<std::vector<std::uint32_t>>();
		for (const std::uint32_t f : s.frames)
			if (f >= to.frames.size())
				return "a stack has a frame that is not there";
	}
	return to.stacks.empty() ? "there are no stacks in it" : "";
}

} // namespace

std::string
read_profile(std::string_view text, profile &to)
try {
	to = {};
	return text.starts_with('{') ? read_json(text, to) :
	    folded_reader(to).read(text);
} catch (const json::exception &e) {
	return std::string("it is not a profile in JSON of stackcount: ") +
	    e.what();
}

} // namespace profiles
