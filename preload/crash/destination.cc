// Opens what a report goes to: standard error, a file, or a file of its own in
// a directory.
//
// A file is opened when the program has crashed, because a program that becomes
// a daemon closes all descriptors.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "destination.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "crash/text.h"

namespace stack9::crash {
namespace {

constexpr std::size_t name_most = 64;
constexpr int others_most = 99;		// of the same name and pid

char asked_for[PATH_MAX];	// absolute; "": standard error

// "crash.NAME.PID", for another one "crash.NAME.PID.1".
class file_name {
public:
	explicit file_name(std::string_view program) noexcept
	{
		add("crash.");
		add(program.substr(0, name_most));
		for (char &c : text_)
			if (c != '\0' && !is_plain(c))
				c = '_';
		add(".");
		add(getpid());
		first_ = used_;
	}
	void
	is_other(int number) noexcept
	{
		used_ = first_;
		add(".");
		add(number);
	}
	const char *get() noexcept
	{
		text_[used_] = '\0';
		return text_;
	}

private:
	static bool
	is_plain(char c) noexcept
	{
		return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
		    (c >= 'A' && c <= 'Z') || std::strchr("._+-", c) !=
		    nullptr;
	}
	void
	add(std::string_view s) noexcept
	{
		used_ += s.copy(text_ + used_, sizeof text_ - 1 - used_);
	}
	void
	add(int number) noexcept
	{
		used_ = static_cast<std::size_t>(std::to_chars(text_ + used_,
		    text_ + sizeof text_ - 1, number).ptr - text_);
	}

	char		text_[name_most + 64]{};
	std::size_t	used_ = 0, first_ = 0;
};

constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY |
    O_NONBLOCK;		// a FIFO without a reader is refused

// A file that is there is somebody else's.
int
open_in(int directory) noexcept
{
	file_name name(program_invocation_short_name);
	int fd = openat(directory, name.get(), flags | O_EXCL, 0600);
	for (int n = 1; fd < 0 && errno == EEXIST && n <= others_most; n++) {
		name.is_other(n);
		fd = openat(directory, name.get(), flags | O_EXCL, 0600);
	}
	return fd;
}

int
open_path() noexcept
{
	const int directory = open(asked_for, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return open(asked_for, flags | O_APPEND, 0600);
	const int fd = open_in(directory), error = errno;
	close(directory);
	errno = error;
	return fd;
}

} // namespace

bool
read_destination(const char *given) noexcept
{
	const std::string_view to(given != nullptr ? given : "");
	if (to.empty() || to == "stderr")
		return true;
	if (to == "none")
		return false;
	std::size_t used = 0;
	if (to[0] != '/') {
		if (getcwd(asked_for, sizeof asked_for) == nullptr)
			return false;
		used = std::strlen(asked_for);
		asked_for[used++] = '/';
	}
	if (used + to.size() >= sizeof asked_for)
		return false;
	asked_for[used + to.copy(asked_for + used, to.size())] = '\0';
	return true;
}

int
open_destination() noexcept
{
	if (asked_for[0] == '\0')
		return STDERR_FILENO;
	if (const int fd = open_path(); fd >= 0)
		return fd;
	text said(STDERR_FILENO);
	((said << "stack9: ").name(asked_for) << ": cannot be opened (errno " <<
	    errno) << "), so the report follows here\n";
	return STDERR_FILENO;
}

} // namespace stack9::crash
