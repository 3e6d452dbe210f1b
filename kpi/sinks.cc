// Stores the three sinks of printed text, with their defaults.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sinks.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>

#include <unistd.h>

#include <stack9.h>

namespace stack9 {
namespace {

template <class function> struct sink_of {
	function	*fn;
	void		*arg;
};

// The program sets them before other threads print: see stack9_set_print().
constinit sink_of<stack9_text_fn> print_sink{};
constinit sink_of<stack9_text_fn> ddb_sink{};
constinit sink_of<stack9_ktr_fn> ktr_sink{};
constinit std::atomic<int> ddb_fd{STDERR_FILENO};

// Returns len if all of it was written, else a negative errno.
int
write_all(int fd, const char *text, int len) noexcept
{
	int done = 0;
	while (done < len) {
		const ssize_t n = write(fd, text + done,
		    static_cast<std::size_t>(len - done));
		if (n > 0)
			done += static_cast<int>(n);
		else if (n == 0 || errno != EINTR)
			return n == 0 ? -EIO : -errno;
	}
	return done;
}

} // namespace

int
drain_print(void *, const char *text, int len) noexcept
{
	const auto size = static_cast<std::size_t>(len);
	if (print_sink.fn != nullptr)
		print_sink.fn(print_sink.arg, text, size);
	else
		std::fwrite(text, 1, size, stdout);
	return len;
}

int
drain_ddb(void *, const char *text, int len) noexcept
{
	const int kept = errno;
	int written = len;
	if (ddb_sink.fn != nullptr)
		ddb_sink.fn(ddb_sink.arg, text, static_cast<std::size_t>(len));
	else
		written = write_all(ddb_fd.load(std::memory_order_relaxed),
		    text, len);
	errno = kept;
	return written;
}

bool
ktr_wanted() noexcept
{
	return ktr_sink.fn != nullptr;
}

void
ktr_record(unsigned int mask, const char *file, int line, const char *text)
    noexcept
{
	ktr_sink.fn(ktr_sink.arg, mask, file, line, text);
}

} // namespace stack9

extern "C" void
stack9_set_print(stack9_text_fn *fn, void *arg)
{
	stack9::print_sink = {fn, arg};
}

extern "C" void
stack9_set_ddb_print(stack9_text_fn *fn, void *arg)
{
	stack9::ddb_sink = {fn, arg};
}

extern "C" void
stack9_set_ddb_fd(int fd)
{
	stack9::ddb_fd.store(fd, std::memory_order_relaxed);
}

extern "C" void
stack9_set_ktr(stack9_ktr_fn *fn, void *arg)
{
	stack9::ktr_sink = {fn, arg};
}
