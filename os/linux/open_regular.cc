// Opens names from strangers.  A name is first opened with O_PATH.  This
// neither waits nor wakes a driver.  Then the file that the name led to is
// opened for reading, whatever the name leads to by then.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/strangers_file.h"

#include <cerrno>

namespace stack9 {
namespace {

// snprintf(3) is not async-signal-safe.
void
write_link(char (&path)[32], int fd) noexcept
{
	static constexpr char dir[] = "/proc/self/fd/";
	char digits[16];
	int n = 0;
	for (int rest = fd; n == 0 || rest != 0; rest /= 10)
		digits[n++] = static_cast<char>('0' + rest % 10);
	char *to = path;
	for (const char *from = dir; *from != '\0';)
		*to++ = *from++;
	while (n != 0)
		*to++ = digits[--n];
	*to = '\0';
}

constexpr int reading = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

} // namespace

int
open_regular(const unique_fd &seen, const struct stat &st, unique_fd &to)
    noexcept
{
	if (!S_ISREG(st.st_mode))
		return EINVAL;
	char link[32];
	write_link(link, seen.get());
	unique_fd fd(open(link, reading));
	if (!fd)
		return errno;
	to = std::move(fd);
	return 0;
}

int
open_regular(int dir, const char *path, unique_fd &to, struct stat &st)
    noexcept
{
	const unique_fd seen(openat(dir, path, O_PATH | O_CLOEXEC));
	if (!seen)
		return errno;
	const int error = stat_now(seen.get(), st);
	return error != 0 ? error : open_regular(seen, st, to);
}

// The stat buffer is not on the stack while the caller goes on.
[[gnu::noinline]] int
open_regular(const char *path, unique_fd &to) noexcept
{
	struct stat st;
	return open_regular(AT_FDCWD, path, to, st);
}

} // namespace stack9
