// Asks the library for names in files that no process has mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "later_names.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace tools {
namespace {

constexpr char usual_dir[] = "/usr/lib/debug";

// DIR/.build-id/ab/cdef...
std::string
name_in(const std::string &dir, const std::string &build_id)
{
	std::string name = dir + "/.build-id/";
	for (std::size_t i = 0; i < build_id.size(); i++)
		name += fmt::format("{:02x}{}",
		    static_cast<unsigned char>(build_id[i]), i == 0 ? "/" : "");
	return name;
}

struct wanted {
	const std::string &build_id;
	later_name	&to;
	bool		is_it = false, no_memory = false;
};

int
take(void *arg, const stack9_frame *f) noexcept
{
	wanted &w = *static_cast<wanted *>(arg);
	w.is_it = f->build_id_size == w.build_id.size() &&
	    std::memcmp(f->build_id, w.build_id.data(),
	    w.build_id.size()) == 0;
	if (!w.is_it)
		return 0;
	try {
		w.to.linkage = f->linkage;
		w.to.readable = std::strcmp(f->name, f->linkage) == 0 ? "" :
		    f->name;
		w.to.offset = f->offset;
	} catch (const std::bad_alloc &) {
		w.no_memory = true;
	}
	return 0;
}

} // namespace

// The file itself comes after the directories that were named: these have
// debug files, and it may be stripped.
later_names::files &
later_names::files_of(const std::string &build_id, const std::string &path)
{
	const auto [at, fresh] = by_id_.try_emplace(build_id);
	files &f = at->second;
	if (!fresh)
		return f;
	for (const std::string &dir : dirs_)
		for (const char *end : {".debug", ""})
			f.paths.push_back(name_in(dir, build_id) + end);
	if (path.starts_with('/'))
		f.paths.push_back(path);
	f.paths.push_back(name_in(usual_dir, build_id) + ".debug");
	std::reverse(f.paths.begin(), f.paths.end());
	return f;
}

bool
later_names::ask(stack9_space *s, const std::string &build_id,
    std::uint64_t vaddr, bool exact, bool &is_it, later_name &to)
{
	wanted w{build_id, to};
	to.linkage.clear();
	stack9_frame_at(s, vaddr, exact ? 0 : STACK9_FRAMES_RETURN, take, &w);
	if (w.no_memory)
		throw std::bad_alloc();
	is_it = w.is_it;
	return is_it && !to.linkage.empty();
}

bool
later_names::find(const std::string &build_id, const std::string &path,
    std::uint64_t vaddr, bool exact, later_name &to)
{
	bool is_it;
	// A path that was recorded may lead to a file of anybody's.
	if (!begun_)
		can_read_ = stack9_read_apart(STACK9_APART_NAMES) == 0;
	begun_ = true;
	if (!can_read_)
		return false;
	files &f = files_of(build_id, path);
	for (const space &s : f.open)
		if (ask(s.get(), build_id, vaddr, exact, is_it, to))
			return true;
	while (!f.paths.empty()) {
		const std::string name = std::move(f.paths.back());
		stack9_space *opened = nullptr;
		f.paths.pop_back();
		if (stack9_space_open_file(name.c_str(), &opened) != 0)
			continue;
		space s(opened);
		const bool named = ask(s.get(), build_id, vaddr, exact, is_it,
		    to);
		if (is_it)
			f.open.push_back(std::move(s));
		if (named)
			return true;
	}
	return false;
}

} // namespace tools
