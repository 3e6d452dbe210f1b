// Stores the sinks of printed text, with their defaults, and the console to
// which all of them lead.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sinks.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include <stack9.h>

#include "os/uncancelled.h"
#include "private.h"

// The program's, or that of libstack9-overlay; NULL: the program has neither.
extern "C" {

[[gnu::weak, gnu::visibility("default")]] extern std::uint64_t ktr_mask;

}

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
constinit sink_of<stack9_text_fn> console_sink{};
constexpr int unset = -1;
constinit std::atomic<int> ddb_fd{unset};
constinit std::atomic<int> console_fd{unset};
// Set by each file that includes <sys/systm.h>, before main().
constinit std::atomic<bool> has_console{false};

// Returns true if records of this class are kept.  FreeBSD 9 has an int there.
bool
ktr_chosen(unsigned int mask) noexcept
{
	unsigned int chosen = ~0u;
	if (&ktr_mask != nullptr)
		std::memcpy(&chosen, &ktr_mask, sizeof chosen);
	return (chosen & mask) != 0;
}

// Returns len if all of it was written; otherwise a negative errno.
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

// Returns false if the program has chosen no console.
bool
write_console(const char *text, int len, int &written) noexcept
{
	const int fd = console_fd.load(std::memory_order_relaxed);
	written = len;
	if (console_sink.fn != nullptr)
		console_sink.fn(console_sink.arg, text,
		    static_cast<std::size_t>(len));
	else if (fd != unset)
		written = write_all(fd, text, len);
	else
		return false;
	return true;
}

// The descriptor of the _ddb calls.  stdio's stdout is printed on by
// stack_print(), so it is the one place that can be the console of all.
int
choose_ddb_fd() noexcept
{
	const int fd = ddb_fd.load(std::memory_order_relaxed);
	if (fd != unset)
		return fd;
	return has_console.load(std::memory_order_relaxed) ? STDOUT_FILENO :
	    STDERR_FILENO;
}

} // namespace

int
drain_print(void *, const char *text, int len) noexcept
{
	const uncancelled guard;
	const auto size = static_cast<std::size_t>(len);
	int written;
	if (print_sink.fn != nullptr)
		print_sink.fn(print_sink.arg, text, size);
	else if (!write_console(text, len, written)) {
		std::fwrite(text, 1, size, stdout);
		std::fflush(stdout);	// a _ddb call may follow
	}
	return len;
}

int
drain_ddb(void *, const char *text, int len) noexcept
{
	const int kept = errno;
	int written = len;
	if (ddb_sink.fn != nullptr)
		ddb_sink.fn(ddb_sink.arg, text, static_cast<std::size_t>(len));
	else if (ddb_fd.load(std::memory_order_relaxed) != unset ||
	    !write_console(text, len, written))
		written = write_all(choose_ddb_fd(), text, len);
	errno = kept;
	return written;
}

bool
ktr_wanted(unsigned int mask) noexcept
{
	return ktr_chosen(mask) && (ktr_sink.fn != nullptr ||
	    console_sink.fn != nullptr ||
	    console_fd.load(std::memory_order_relaxed) != unset ||
	    has_console.load(std::memory_order_relaxed));
}

void
ktr_record(unsigned int mask, const char *file, int line, const char *text)
    noexcept
{
	if (ktr_sink.fn != nullptr) {
		ktr_sink.fn(ktr_sink.arg, mask, file, line, text);
		return;
	}
	const int kept = errno;
	char whole_line[1024];		// in one piece, as threads share it
	const std::size_t len = strnlen(text, sizeof whole_line - 1);
	std::memcpy(whole_line, text, len);
	whole_line[len] = '\n';
	int written;
	if (!write_console(whole_line, static_cast<int>(len) + 1, written))
		write_all(STDOUT_FILENO, whole_line,
		    static_cast<int>(len) + 1);
	errno = kept;
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
stack9_set_console(stack9_text_fn *fn, void *arg)
{
	stack9::console_sink = {fn, arg};
}

extern "C" void
stack9_set_console_fd(int fd)
{
	stack9::console_fd.store(fd < 0 ? stack9::unset : fd,
	    std::memory_order_relaxed);
}

extern "C" void
stack9_private_use_console(void)
{
	stack9::has_console.store(true, std::memory_order_relaxed);
}

extern "C" int
stack9_private_ktr(unsigned int mask, const char *file, int line,
    const char *text)
{
	if (!stack9::ktr_wanted(mask))
		return 0;
	if (text != nullptr)
		stack9::ktr_record(mask, file, line, text);
	return 1;
}

extern "C" void
stack9_set_ktr(stack9_ktr_fn *fn, void *arg)
{
	stack9::ktr_sink = {fn, arg};
}
