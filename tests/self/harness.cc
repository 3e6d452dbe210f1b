// Makes threads to look at, captures their stacks, and asks glibc for them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "harness.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

// libunwind.so has a backtrace() of its own; glibc's is wanted.
void
note_truth(std::vector<std::uintptr_t> &truth, std::uintptr_t first)
{
	using function = int (*)(void **, int);
	static const function glibc = reinterpret_cast<function>(
	    dlsym(dlopen("libc.so.6", RTLD_LAZY), "backtrace"));
	void *raw[512];
	const int n = glibc(raw, 512);
	truth.clear();
	for (int i = 0; i < n; i++)
		truth.push_back(reinterpret_cast<std::uintptr_t>(raw[i]));
	truth.erase(truth.begin(),
	    std::find(truth.begin(), truth.end(), first));
}

const char *
any_route::name() const
{
	return own_ != nullptr ? own_->name : sibling_->name;
}

stack9::verdict
any_route::can() const
{
	return own_ != nullptr ? own_->can() : sibling_->can();
}

int
any_route::save(const stack9_thread &td, stack9::stack_record &rec,
    const stack9::origin &first) const
{
	return own_ != nullptr ? own_->save(rec, first) :
	    sibling_->save(td, rec);
}

any_route
route_named(const std::string &name)
{
	for (stack9::own_route *r : stack9::backend_self.self)
		if (name == r->name)
			return *r;
	for (stack9::sibling_route *r : stack9::backend_self.sibling)
		if (name == r->name)
			return *r;
	throw std::invalid_argument(name);
}

std::span<stack9::own_route *const>
own_routes()
{
	return stack9::backend_self.self;
}

capture::capture(std::uint32_t max) : room(max) {}

int
capture::save(any_route r, const stack9_thread &td,
    std::uintptr_t first_pc)
{
	rec = {};
	rec.pcs = room.data();
	rec.max = static_cast<std::uint32_t>(room.size());
	stack9::origin first;
	first.pc = first_pc;
	return r.save(td, rec, first);
}

std::vector<std::uintptr_t>
capture::frames() const
{
	return {room.begin(), room.begin() + rec.depth};
}

std::vector<std::uintptr_t>
behind(const std::vector<std::uintptr_t> &frames, std::uintptr_t first)
{
	return {std::find(frames.begin(), frames.end(), first), frames.end()};
}

std::string
hex(const std::vector<std::uintptr_t> &frames)
{
	std::string text;
	for (const std::uintptr_t pc : frames) {
		Dl_info i{};
		dladdr(reinterpret_cast<void *>(pc), &i);
		text += fmt::format("{:#x} {} {}\n", pc,
		    i.dli_fname != nullptr ? i.dli_fname : "?",
		    i.dli_sname != nullptr ? i.dli_sname : "?");
	}
	return text;
}

victim::victim(way how, deed what, std::size_t ballast)
    : victim([how, ballast](orders &o) {
	    o.ballast = ballast;
	    how(o);
    }, what)
{
}

victim::victim(std::function<void(orders &)> how, deed what)
{
	order.what = what;
	if (pipe(order.fds) != 0)
		throw std::runtime_error("pipe");
	sem_init(&order.semaphore, 0, 0);
	order.truth.reserve(512);	// it may be noted in a handler
	thread_ = std::thread([this, how] {
		tid_ = gettid();
		how(order);
	});
	while (!order.ready)
		std::this_thread::yield();
}

// A sleeper in nanosleep() has nothing to be released by but a signal.  It gets
// that only here, when no more captures are made.
void
victim::release()
{
	order.word = 1;
	syscall(SYS_futex, &order.word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr,
	    0);
	sem_post(&order.semaphore);
	[[maybe_unused]] const ssize_t n = write(order.fds[1], "xxxxxxxx", 8);
	if (order.what == deed::nanosleep) {
		struct sigaction nothing{};
		nothing.sa_handler = [](int) {};
		sigaction(SIGUSR2, &nothing, nullptr);
		tgkill(getpid(), tid_, SIGUSR2);
	}
}

victim::~victim()
{
	release();
	thread_.join();
	close(order.fds[0]);
	close(order.fds[1]);
	sem_destroy(&order.semaphore);
}

void
victim::await_sleep() const
{
	while (state_of(tid_) != 'S')
		std::this_thread::yield();
}
