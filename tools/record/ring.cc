// Asks the directory each time, for others may delete its files, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ring.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <memory>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace recording {
namespace {

constexpr std::string_view ending = ".s9";
constexpr std::size_t digits = 8;

// NUMBER-YYYYMMDDTHHMMSSZ.s9
bool
number_of(std::string_view name, std::uint64_t &number)
{
	const auto dash = name.find('-');
	if (!name.ends_with(ending) || dash == name.npos || dash < digits)
		return false;
	const auto [at, error] = std::from_chars(name.data(),
	    name.data() + dash, number);
	return error == std::errc() && at == name.data() + dash;
}

std::int64_t
seconds_of(clockid_t clock)
{
	timespec t{};
	clock_gettime(clock, &t);
	return t.tv_sec;
}

} // namespace

std::string
segment_name(std::uint64_t number, std::int64_t wall_ns)
{
	const std::time_t seconds = wall_ns / 1'000'000'000;
	std::tm utc{};
	char time[32] = "";
	if (gmtime_r(&seconds, &utc) != nullptr)
		std::strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &utc);
	return fmt::format("{:08}-{}{}", number, time, ending);
}

int
segments_in(const std::string &dir, std::vector<std::string> &names)
{
	const std::unique_ptr<DIR, int (*)(DIR *)> d(opendir(dir.c_str()),
	    closedir);
	if (d == nullptr)
		return errno;
	std::vector<std::pair<std::uint64_t, std::string>> all;
	std::uint64_t number = 0;
	while (const dirent *e = readdir(d.get()))
		if (number_of(e->d_name, number))
			all.push_back({number, e->d_name});
	std::sort(all.begin(), all.end());
	for (auto &[n, name] : all)
		names.push_back(std::move(name));
	return 0;
}

ring::~ring()
{
	if (dir_ >= 0)
		close(dir_);
}

int
ring::open(const std::string &dir)
{
	if (mkdir(dir.c_str(), 0700) != 0 && errno != EEXIST)
		return errno;
	dir_ = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_ < 0)
		return errno;
	if (flock(dir_, LOCK_EX | LOCK_NB) != 0)
		return errno == EWOULDBLOCK ? EBUSY : errno;
	path_ = dir;
	wall_minus_boot_ = seconds_of(CLOCK_REALTIME) -
	    seconds_of(CLOCK_BOOTTIME);
	std::vector<std::string> names;
	const int error = segments_in(dir, names);
	if (!names.empty())
		number_of(names.back(), number_);
	return error;
}

// Records have names of programs and of cgroups.  Not everybody may read them.
int
ring::create(std::int64_t wall_ns)
{
	if (!last_.empty())
		ended_[last_] = seconds_now();
	for (int tries = 0;; tries++) {
		last_ = segment_name(++number_, wall_ns);
		const int fd = openat(dir_, last_.c_str(), O_WRONLY | O_CREAT |
		    O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_APPEND, 0600);
		if (fd >= 0 || errno != EEXIST || tries == 100)
			return fd;
	}
}

void
ring::forget()
{
	if (!last_.empty())
		unlinkat(dir_, last_.c_str(), 0);
	last_.clear();
}

std::int64_t
ring::seconds_now() const
{
	return seconds_of(CLOCK_BOOTTIME) + wall_minus_boot_;
}

// Files of earlier recorders are as old as their clocks said.
std::vector<ring::file>
ring::files() const
{
	std::vector<std::string> names;
	std::vector<file> all;
	segments_in(path_, names);
	for (std::string &name : names) {
		struct stat s;
		if (fstatat(dir_, name.c_str(), &s, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(s.st_mode)) {
			const auto ended = ended_.find(name);
			all.push_back({name,
			    static_cast<std::uint64_t>(s.st_blocks) * 512,
			    ended == ended_.end() ? s.st_mtim.tv_sec :
			    ended->second});
		}
	}
	return all;
}

void
ring::shrink(const ring_limits &limits, std::uint64_t bytes)
{
	const std::vector<file> all = files();
	for (const file &f : all)
		bytes += f.bytes;
	const std::int64_t now = seconds_now();
	for (const file &f : all) {
		const bool is_old = limits.seconds != 0 && now - f.changed >
		    static_cast<std::int64_t>(limits.seconds);
		const bool is_too_much = limits.bytes != 0 &&
		    bytes > limits.bytes;
		if (f.name == last_ || (!is_old && !is_too_much))
			return;
		unlinkat(dir_, f.name.c_str(), 0);
		ended_.erase(f.name);
		bytes -= f.bytes;
	}
}

bool
ring::delete_oldest()
{
	const std::vector<file> all = files();
	return !all.empty() && all.front().name != last_ &&
	    unlinkat(dir_, all.front().name.c_str(), 0) == 0;
}

} // namespace recording
