// Tests stack(9), the _ddb calls: from a signal handler, on 8 KiB of stack,
// with malloc forbidden.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9.h>
#include <stack9/sys/proc.h>
#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>

#include "fake_backend.h"
#include "fake_symbols.h"

using boost::unit_test::description;

// The C library's, whoever calls it, unless it is forbidden.
extern "C" void *__libc_malloc(size_t);
extern "C" void *__libc_calloc(size_t, size_t);
extern "C" void *__libc_realloc(void *, size_t);
extern "C" void __libc_free(void *);

namespace {

std::atomic<bool> forbidden;

void
check()
{
	if (forbidden.load())
		abort();
}

} // namespace

extern "C" void *
malloc(size_t size)
{
	check();
	return __libc_malloc(size);
}

extern "C" void *
calloc(size_t n, size_t size)
{
	check();
	return __libc_calloc(n, size);
}

extern "C" void *
realloc(void *p, size_t size)
{
	check();
	return __libc_realloc(p, size);
}

extern "C" void
free(void *p)
{
	check();
	__libc_free(p);
}

namespace {

constexpr std::size_t room = 8192;	// folly's figure for a handler
constexpr std::size_t budget = 6144;	// the man page's
constexpr std::size_t lookup = 2048 + 256;	// of elf_find_nowait(); it
						// is a fake here
constexpr unsigned char paint = 0xa5;

unsigned char	*alternate;
struct stack	 crashed;
std::size_t	 used;

extern "C" void
on_fault(int)
{
	unsigned char here;
	const int kept = errno;
	forbidden = true;
	stack_save(&crashed);
	if (stack_save_td(&crashed, curthread) != 0)
		_exit(6);
	stack_print_ddb(&crashed);
	stack_print_short_ddb(&crashed);
	char storage[32];
	struct sbuf sb;
	sbuf_new(&sb, storage, sizeof storage, SBUF_FIXEDLEN);
	stack_sbuf_print_ddb(&sb, &crashed);
	sbuf_finish(&sb);
	const bool errno_kept = errno == kept;
	const unsigned char *p = alternate;
	while (*p == paint)
		p++;
	used = static_cast<std::size_t>(&here - p);
	_exit(!errno_kept ? 1 : used > budget - lookup ? 2 :
	    std::strcmp(storage, "#0 0xffffffff81000001 at schedu") ? 3 : 0);
}

[[noreturn]] void
crash(int to)
{
	const long page = sysconf(_SC_PAGESIZE);
	auto *map = static_cast<unsigned char *>(mmap(nullptr, room + page,
	    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	mprotect(map, page, PROT_NONE);	// to go below is to die
	alternate = map + page;
	std::memset(alternate, paint, room);
	const stack_t ss{alternate, 0, room};
	if (sigaltstack(&ss, nullptr) != 0)
		_exit(4);
	struct sigaction act{};
	act.sa_handler = on_fault;
	act.sa_flags = SA_ONSTACK;
	sigaction(SIGSEGV, &act, nullptr);
	stack9_set_ddb_fd(to);
	*static_cast<volatile int *>(nullptr) = 0;
	_exit(5);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(in_a_handler, fake::fresh, *description(
    "stack_save() is async-signal-safe and keeps errno; so does "
    "stack_save_td() of curthread. The _ddb variants are for signal handlers "
    "and debuggers: they are async-signal-safe, keep errno, need at most 6 KiB "
    "of stack"))
{
	static const fake::symbol table[] = {
	    {0xffffffff81000000, 0x1000, "schedule"}};
	fake::symbols(table);
	fake::now.asked.reserve(8);	// the script's own
	std::string expected, line;
	for (std::size_t i = 0; i < STACK_MAX; i++) {
		fake::now.own.push_back(0xffffffff81000001 + i);
		char at[96];
		std::snprintf(at, sizeof at,
		    "#%zu 0x%zx at schedule+0x%zx\n", i, 0xffffffff81000001 + i,
		    i + 1);
		expected += at;
		std::snprintf(at, sizeof at, "%sschedule+0x%zx",
		    i == 0 ? "" : " ", i + 1);
		line += at;
	}
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	const pid_t pid = fork();
	if (pid == 0)
		crash(ends[1]);
	close(ends[1]);
	std::string text;
	char piece[512];
	for (ssize_t n; (n = read(ends[0], piece, sizeof piece)) > 0;)
		text.append(piece, static_cast<std::size_t>(n));
	close(ends[0]);
	int status;
	BOOST_REQUIRE(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(WIFEXITED(status));
	BOOST_TEST(WEXITSTATUS(status) == 0);
	BOOST_TEST(text == expected + line + "\n");
}
