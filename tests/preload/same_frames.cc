// Compares the calls of libstack9_backtrace, linked, with those of libc, libgcc
// and libunwind.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frames.h"

using namespace preload_test;

namespace {

capture_fn &libc_backtrace = *call_of<capture_fn>("libc.so.6", "backtrace");

// The two functions are called from one place.
std::pair<pcs, pcs>
both(capture_fn *one, capture_fn *other, int depth, int max = 256)
{
	std::pair<pcs, pcs> got;
	auto f = [&] {
		for (int i = 0; i < 2; i++)
			(i == 0 ? got.first : got.second) =
			    capture_by(i == 0 ? one : other, max);
	};
	deep(depth, f);
	return got;
}

// The facts that libgcc and this library give of each frame.
struct told {
	std::uintptr_t	ip, cfa, start;
	int		before;
	void		*lsda;
	std::uintptr_t	bp;
	bool operator==(const told &) const = default;
};

std::ostream &
operator<<(std::ostream &to, const told &t)
{
	return to << std::hex << t.ip << ' ' << t.cfa << ' ' << t.start << ' '
	    << t.before << ' ' << t.lsda << ' ' << t.bp << std::dec;
}

// The calls of one unwinder.
struct calls {
	decltype(_Unwind_Backtrace)		*backtrace;
	decltype(_Unwind_GetIPInfo)		*ip;
	decltype(_Unwind_GetIP)			*bare_ip;
	decltype(_Unwind_GetCFA)		*cfa;
	decltype(_Unwind_GetRegionStart)	*start;
	decltype(_Unwind_GetLanguageSpecificData)	*lsda;
	decltype(_Unwind_GetGR)			*gr;
	std::vector<told>			 all;
	std::size_t				 stop = SIZE_MAX;
	_Unwind_Reason_Code			 result;
};

calls
ours()
{
	return {_Unwind_Backtrace, _Unwind_GetIPInfo, _Unwind_GetIP,
	    _Unwind_GetCFA, _Unwind_GetRegionStart,
	    _Unwind_GetLanguageSpecificData, _Unwind_GetGR, {}, SIZE_MAX, {}};
}

#define	LIBGCC(name) call_of<decltype(name)>("libgcc_s.so.1", #name)
calls
libgccs()
{
	return {LIBGCC(_Unwind_Backtrace), LIBGCC(_Unwind_GetIPInfo),
	    LIBGCC(_Unwind_GetIP), LIBGCC(_Unwind_GetCFA),
	    LIBGCC(_Unwind_GetRegionStart),
	    LIBGCC(_Unwind_GetLanguageSpecificData), LIBGCC(_Unwind_GetGR), {},
	    SIZE_MAX, {}};
}

_Unwind_Reason_Code
tell(_Unwind_Context *c, void *arg)
{
	calls &by = *static_cast<calls *>(arg);
	told t{};
	t.ip = by.ip(c, &t.before);
	BOOST_TEST(by.bare_ip(c) == t.ip);
	t.cfa = by.cfa(c);
	if (t.ip != 0) {
		t.start = by.start(c);
		t.lsda = by.lsda(c);
		t.bp = by.gr(c, __builtin_dwarf_sp_column() == 7 ? 6 : 29);
	}
	by.all.push_back(t);
	return by.all.size() == by.stop ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

void
compare_contexts(std::size_t stop)
{
	calls two[] = {ours(), libgccs()};
	for (calls &c : two) {
		c.stop = stop;
		c.result = c.backtrace(tell, &c);
	}
	BOOST_TEST(two[0].result == two[1].result);
	BOOST_TEST(two[0].all == two[1].all, boost::test_tools::per_element());
	BOOST_TEST(two[0].all.size() > 3);
}

#if defined(__x86_64__)
// Calls f from a frame that only another register than sp and fp leads out of.
extern "C" void call_from_odd_frame(void (*f)());
__asm__(".text; .globl call_from_odd_frame\n"
    ".type call_from_odd_frame, @function; call_from_odd_frame:\n"
    ".cfi_startproc; pushq %rbx; .cfi_def_cfa_offset 16\n"
    ".cfi_offset %rbx, -16; movq %rsp, %rbx; .cfi_def_cfa_register %rbx\n"
    "subq $16, %rsp; callq *%rdi; movq %rbx, %rsp\n"
    ".cfi_def_cfa_register %rsp; popq %rbx; .cfi_def_cfa_offset 8; retq\n"
    ".cfi_endproc; .size call_from_odd_frame, . - call_from_odd_frame\n");
#endif

void (*in_handler)();

template <class F>
void
in_signal(F f)
{
	in_handler = f;
	struct sigaction sa{};
	sa.sa_handler = [](int) { in_handler(); };
	sigaction(SIGUSR1, &sa, nullptr);
	raise(SIGUSR1);
}

std::string
written(void *const *addresses, int n, void (*by)(void *const *, int, int))
{
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	by(addresses, n, ends[1]);
	close(ends[1]);
	std::string text(8192, '\0');
	const ssize_t size = read(ends[0], text.data(), text.size());
	close(ends[0]);
	text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
	return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(same_frames)

BOOST_AUTO_TEST_CASE(of_libc, *boost::unit_test::description(
    "It stores the same addresses as the C library's call.  The library needs "
    "no other library than libc and libgcc_s."))
{
	BOOST_REQUIRE(&libc_backtrace != backtrace);
	for (const int depth : {0, 1, 8, 18, 32, 100}) {
		const auto [a, b] = both(backtrace, &libc_backtrace, depth);
		BOOST_TEST(a == b, boost::test_tools::per_element());
		BOOST_TEST(a.size() >= static_cast<unsigned int>(depth));
	}
}

BOOST_AUTO_TEST_CASE(as_many_as_fit, *boost::unit_test::description(
    "It stores the same addresses as the C library's call."))
{
	for (const int max : {-1, 0, 1, 2, 17, 40}) {
		const auto [a, b] = both(backtrace, &libc_backtrace, 30, max);
		BOOST_TEST(a == b, boost::test_tools::per_element());
	}
}

BOOST_AUTO_TEST_CASE(of_libunwind, *boost::unit_test::description(
    "The same for programs that use libunwind."))
{
	auto *const theirs = call_of<capture_fn>("libunwind.so.8",
	    "unw_backtrace");
	auto *const mine = call_of<capture_fn>(LIBRARY, "unw_backtrace");
	if (theirs == nullptr) {
		BOOST_TEST_MESSAGE("no libunwind.so.8");
		return;
	}
	BOOST_TEST_REQUIRE(mine != theirs);
	const auto [a, b] = both(mine, theirs, 18);
	BOOST_TEST(a == b, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(contexts, *boost::unit_test::description(
    "It calls its function for the same frames as libgcc's call, with the same "
    "last frame, and returns the same value.  Any other question about the "
    "context is put to libgcc.  It walks to the same frame once more and takes "
    "its time for that."))
{
	for (const int depth : {0, 10, 40}) {
		auto f = [] { compare_contexts(SIZE_MAX); };
		deep(depth, f);
	}
}

#if defined(__x86_64__)
BOOST_AUTO_TEST_CASE(contexts_of_an_odd_frame)
{
	call_from_odd_frame([] { compare_contexts(SIZE_MAX); });
	call_from_odd_frame([] {
		const auto [a, b] = both(backtrace, &libc_backtrace, 10);
		BOOST_TEST(a == b, boost::test_tools::per_element());
	});
}
#endif

BOOST_AUTO_TEST_CASE(contexts_of_a_deep_stack)
{
	for (const int depth : {60, 64, 70, 200}) {
		auto f = [] { compare_contexts(SIZE_MAX); };
		deep(depth, f);
	}
}

BOOST_AUTO_TEST_CASE(contexts_until_stopped)
{
	auto f = [] { compare_contexts(5); compare_contexts(16); };
	deep(20, f);
}

BOOST_AUTO_TEST_CASE(contexts_in_a_handler, *boost::unit_test::description(
    "_Unwind_GetIP, _Unwind_GetIPInfo, _Unwind_GetCFA and "
    "_Unwind_GetRegionStart answer as libgcc's calls do."))
{
	in_signal([] { compare_contexts(SIZE_MAX); });
}

BOOST_AUTO_TEST_CASE(symbols, *boost::unit_test::description(
    "The formats are those of the C library.  Static functions have their "
    "names, too, if the file has a symbol table."))
{
	void *const addresses[] = {
		reinterpret_cast<void *>(std::malloc),
		reinterpret_cast<char *>(reinterpret_cast<std::uintptr_t>(
		    std::strlen)) + 3,
		nullptr,
		reinterpret_cast<void *>(std::uintptr_t{0x123}),
	};
	constexpr int n = std::size(addresses);
	auto *const theirs = call_of<decltype(backtrace_symbols)>("libc.so.6",
	    "backtrace_symbols");
	auto *const theirs_fd = call_of<decltype(backtrace_symbols_fd)>(
	    "libc.so.6", "backtrace_symbols_fd");
	char **const a = backtrace_symbols(addresses, n);
	char **const b = theirs(addresses, n);
	BOOST_TEST_REQUIRE(a != nullptr);
	// A function of libc may have several names.
	const auto after = [](const char *s) {
		const char *at = std::strchr(s, '+');
		return std::string(at != nullptr ? at : s);
	};
	BOOST_TEST(after(a[0]) == after(b[0]));
	BOOST_TEST(std::string(a[0]).substr(0, 5) ==
	    std::string(b[0]).substr(0, 5));
	BOOST_TEST(std::string(a[3]) == std::string(b[3]));
	BOOST_TEST(written(addresses, 1, backtrace_symbols_fd) ==
	    written(addresses, 1, theirs_fd));
	BOOST_TEST(written(addresses + 3, 1, backtrace_symbols_fd) ==
	    written(addresses + 3, 1, theirs_fd));
	std::free(a);
	std::free(b);
	char **const none = backtrace_symbols(addresses, 0);
	BOOST_TEST(none != nullptr);
	std::free(none);
	void *const here[] = {reinterpret_cast<void *>(tell)};
	const std::string text = written(here, 1, backtrace_symbols_fd);
	BOOST_TEST(text.find("4tellEP15_Unwind_ContextPv+0x0)") != text.npos,
	    text);
}

BOOST_AUTO_TEST_CASE(a_child, *boost::unit_test::description(
    "A child of fork(2) can capture its stack."))
{
	const pid_t child = fork();
	if (child == 0) {
		void *raw[64];
		const int n = backtrace(raw, 64);
		void *theirs[64];
		_exit(n > 3 && libc_backtrace(theirs, 64) == n ? 0 : 1);
	}
	int status;
	waitpid(child, &status, 0);
	BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
