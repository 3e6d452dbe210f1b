// Asks the first record of each file when it began.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "records.h"

#include <cerrno>
#include <cstring>
#include <optional>

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

// A segment ends where the next one begins, if both are of one boot: that clock
// is never set.  Otherwise its end is not known, and both are read.
bool
ends_before(const segment_info &s, const segment_info &next, std::int64_t when)
{
	return s.boot_id == next.boot_id && next.boot_ns >= s.boot_ns &&
	    when > slack_ns && beginning(s) + static_cast<std::int64_t>(
	    next.boot_ns - s.boot_ns) < when - slack_ns;
}

std::vector<std::string>
files_of(const std::string &dir, const interval &when, int &error)
{
	std::vector<std::string> names, wanted;
	error = segments_in(dir, names);
	std::vector<std::optional<segment_info>> infos;
	for (std::string &name : names) {
		segment_info info;
		name = dir + "/" + name;
		infos.emplace_back();
		if (read_info(name, info) == 0)
			infos.back() = std::move(info);
	}
	for (std::size_t i = 0; i < names.size(); i++) {
		const auto &info = infos[i];
		const bool is_over = info.has_value() &&
		    i + 1 != names.size() && infos[i + 1].has_value() &&
		    ends_before(*info, *infos[i + 1], when.from);
		if (!is_over && (!info.has_value() ||
		    beginning(*info) <= when.to))
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
		for (const std::string &file : files) {
			if (error != 0)
				break;
			error = read_file(file, v, r);
			// The ring may have deleted it meanwhile.
			if (error == ENOENT && is_directory(path))
				error = 0;
		}
		if (error == 0)
			continue;
		r.complaints.push_back(fmt::format("{}: {}", path,
		    std::strerror(error)));
		good = false;
	}
	return good;
}

} // namespace recording
