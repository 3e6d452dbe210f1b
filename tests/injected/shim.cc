// Makes the n-th call of a kind fail.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "shim.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <new>

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

using shim::kind;

// One for all processes: a child that the library forks is counted with it.
struct state {
	std::atomic<bool>	armed{false}, paused{false};
	std::atomic<kind>	what{};
	std::atomic<long>	calls{0};
	std::atomic<long>	nth{0};
	std::atomic<int>	error{0};
};

std::atomic<long> mappings;

long
raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
    long f = 0) noexcept
{
#if defined(__x86_64__)
	register long r10 asm("r10") = d;
	register long r8 asm("r8") = e;
	register long r9 asm("r9") = f;
	long result;
	asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b),
	    "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long result asm("x0") = a;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;
	register long x3 asm("x3") = d;
	register long x4 asm("x4") = e;
	register long x5 asm("x5") = f;
	register long x8 asm("x8") = number;
	asm volatile("svc 0" : "+r"(result) : "r"(x1), "r"(x2), "r"(x3),
	    "r"(x4), "r"(x5), "r"(x8) : "memory");
#else
#error "no system calls for this CPU"
#endif
	if (result < 0 && result > -4096) {
		errno = static_cast<int>(-result);
		return -1;
	}
	return result;
}

template <class T>
long
word(T *pointer)
{
	return static_cast<long>(reinterpret_cast<std::uintptr_t>(pointer));
}

state &
the()
{
	static state *const it = [] {
		const long page = raw(SYS_mmap, 0, 4096,
		    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		return new (reinterpret_cast<void *>(page)) state;
	}();
	return *it;
}

} // namespace

namespace shim {

void
arm(kind what, long n, int error)
{
	the().what = what;
	the().calls = 0;
	the().nth = n;
	the().error = error;
	the().armed = true;
}

long
disarm()
{
	the().armed = false;
	return the().calls;
}

int
error()
{
	return the().error;
}

bool
pause(bool on)
{
	return the().paused.exchange(on);
}

bool
strikes(kind what) noexcept
{
	state &s = the();
	if (!s.armed || s.paused || s.what != what || ++s.calls != s.nth)
		return false;
	errno = s.error;
	return true;
}

long mapped() { return mappings; }

} // namespace shim

using shim::strikes;

#pragma GCC visibility push(default)
extern "C" {

int
openat(int at, const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	const mode_t mode = va_arg(rest, mode_t);
	va_end(rest);
	return strikes(kind::open) ? -1 : static_cast<int>(raw(SYS_openat, at,
	    word(path), flags, static_cast<long>(mode)));
}

int
open(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	const mode_t mode = va_arg(rest, mode_t);
	va_end(rest);
	return openat(AT_FDCWD, path, flags, mode);
}

int open64(const char *, int, ...) __attribute__((alias("open")));
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

int
pipe2(int *ends, int flags) noexcept
{
	return strikes(kind::open) ? -1 : static_cast<int>(raw(SYS_pipe2,
	    word(ends), flags));
}

int
socketpair(int domain, int type, int protocol, int *ends) noexcept
{
	return strikes(kind::open) ? -1 : static_cast<int>(raw(SYS_socketpair,
	    domain, type, protocol, word(ends)));
}

int
memfd_create(const char *name, unsigned int flags) noexcept
{
	return strikes(kind::open) ? -1 : static_cast<int>(
	    raw(SYS_memfd_create, word(name), static_cast<long>(flags)));
}

ssize_t
read(int fd, void *to, std::size_t size)
{
	return strikes(kind::read) ? -1 : raw(SYS_read, fd, word(to),
	    static_cast<long>(size));
}

ssize_t
pread(int fd, void *to, std::size_t size, off_t from)
{
	return strikes(kind::read) ? -1 : raw(SYS_pread64, fd, word(to),
	    static_cast<long>(size), from);
}

ssize_t pread64(int, void *, std::size_t, off64_t)
    __attribute__((alias("pread")));

void *
mmap(void *at, std::size_t size, int prot, int flags, int fd,
    off_t from) noexcept
{
	if (strikes(kind::map))
		return MAP_FAILED;
	const long result = raw(SYS_mmap, word(at), static_cast<long>(size),
	    prot, flags, fd, from);
	if (result != -1 && (flags & MAP_FIXED) == 0)
		mappings += static_cast<long>((size + 4095) & ~4095ul);
	return reinterpret_cast<void *>(result);
}

void *mmap64(void *, std::size_t, int, int, int, off64_t) noexcept
    __attribute__((alias("mmap")));

int
munmap(void *at, std::size_t size) noexcept
{
	mappings -= static_cast<long>((size + 4095) & ~4095ul);
	return static_cast<int>(raw(SYS_munmap, word(at),
	    static_cast<long>(size)));
}

int
epoll_create1(int flags) noexcept
{
	return strikes(kind::epoll) ? -1 : static_cast<int>(
	    raw(SYS_epoll_create1, flags));
}

int
epoll_ctl(int fd, int what, int of, epoll_event *event) noexcept
{
	return strikes(kind::epoll) ? -1 : static_cast<int>(raw(SYS_epoll_ctl,
	    fd, what, of, word(event)));
}

int
epoll_wait(int fd, epoll_event *events, int most, int timeout)
{
	return strikes(kind::epoll) ? -1 : static_cast<int>(
	    raw(SYS_epoll_pwait, fd, word(events), most, timeout, 0, 8));
}

ssize_t
process_vm_readv(pid_t pid, const iovec *to, unsigned long to_count,
    const iovec *from, unsigned long from_count, unsigned long flags) noexcept
{
	return strikes(kind::copy) ? -1 : raw(SYS_process_vm_readv, pid,
	    word(to), static_cast<long>(to_count), word(from),
	    static_cast<long>(from_count), static_cast<long>(flags));
}

long
ptrace(__ptrace_request request, ...) noexcept
{
	va_list rest;
	va_start(rest, request);
	const long pid = va_arg(rest, pid_t);
	const long address = va_arg(rest, long);
	const long data = va_arg(rest, long);
	va_end(rest);
	return strikes(kind::trace) ? -1 : raw(SYS_ptrace, request, pid,
	    address, data);
}

long
syscall(long number, ...) noexcept
{
	va_list rest;
	va_start(rest, number);
	long a[6];
	for (long &one : a)
		one = va_arg(rest, long);
	va_end(rest);
	if ((number == SYS_bpf && strikes(kind::bpf)) ||
	    (number == SYS_perf_event_open && strikes(kind::perf)) ||
	    ((number == SYS_openat2 || number == SYS_pidfd_open ||
	    number == SYS_openat) && strikes(kind::open)) ||
	    (number == SYS_read && strikes(kind::read)) ||
	    (number == SYS_ptrace && strikes(kind::trace)) ||
	    (number == SYS_process_vm_readv && strikes(kind::copy)))
		return -1;
	return raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

}
#pragma GCC visibility pop
