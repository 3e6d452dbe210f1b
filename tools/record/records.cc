// Asks the first record of each file when it began.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "records.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>

#include "ring.h"

namespace recording {
namespace {

constexpr std::int64_t slack_ns = 1'000'000'000;

bool
is_directory(const std::string &path)
{
	struct stat s;
	return stat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode);
}

std::int64_t
beginning(const segment_info &info)
{
	return static_cast<std::int64_t>(info.boot_ns) + info.wall_minus_boot;
}

// A segment ends where the next one begins.  After a step of the clock nothing
// is known of the order, and both are read.
std::vector<std::string>
files_of(const std::string &dir, const interval &when, int &error)
{
	std::vector<std::string> names, wanted;
	error = segments_in(dir, names);
	std::vector<std::int64_t> begin;
	for (std::string &name : names) {
		segment_info info;
		name = dir + "/" + name;
		begin.push_back(read_info(name, info) == 0 ?
		    beginning(info) : when.from);
	}
	for (std::size_t i = 0; i < names.size(); i++) {
		const bool is_last = i + 1 == names.size();
		const bool ended = !is_last && begin[i + 1] >= begin[i] &&
		    when.from > slack_ns && begin[i + 1] < when.from - slack_ns;
		if (!ended && begin[i] <= when.to)
			wanted.push_back(names[i]);
	}
	return wanted;
}

} // namespace

bool
read_records(const std::vector<std::string> &paths, const interval &when,
    visitor &v, reading &r)
{
	bool good = true;
	for (const std::string &path : paths) {
		int error = 0;
		std::vector<std::string> files = {path};
		if (is_directory(path))
			files = files_of(path, when, error);
		for (const std::string &file : files)
			if (error == 0)
				error = read_file(file, v, r);
		if (error == 0)
			continue;
		// The ring may have deleted it meanwhile.
		if (error == ENOENT && is_directory(path))
			continue;
		r.complaints.push_back(fmt::format("{}: {}", path,
		    std::strerror(error)));
		good = false;
	}
	return good;
}

} // namespace recording
