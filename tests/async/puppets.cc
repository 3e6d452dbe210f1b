// Makes threads that sleep in read(2) and do there what they are asked to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "puppets.h"

#include <cerrno>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// Its end is the process's, or another's deed.
[[gnu::noinline]] void
obey(puppets::strings &mine)
{
	mine.tid = gettid();
	for (;;) {
		puppets::deed what;
		const ssize_t got = read(mine.input, &what, sizeof what);
		mine.returned++;
		if (got != sizeof what)
			abort();
		what(mine);
		mine.done++;
	}
}

} // namespace

// It makes no call, in unoptimised code too: it has to be the innermost frame.
[[gnu::noinline]] void
puppets::spin(strings &mine)
{
	auto *const stop = reinterpret_cast<std::uint64_t *>(&mine.word[0]);
	auto *const spins = reinterpret_cast<std::uint64_t *>(&mine.word[1]);
	__atomic_store_n(spins, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(stop, __ATOMIC_SEQ_CST) == 0)
		asm volatile("");
}

[[gnu::noinline]] void
puppets::call(strings &mine)
{
	mine.word[1] = 1;
	while (mine.word[0] == 0)
		syscall(SYS_getppid);
}

[[gnu::noinline]] void
puppets::wait(strings &mine)
{
	const long error = syscall(SYS_futex, &mine.word[0], FUTEX_WAIT, 0,
	    nullptr, nullptr, 0);
	mine.word[1] = error == 0 ? 1 : static_cast<std::uint64_t>(errno) + 1;
}

puppets::puppets(std::size_t threads)
{
	for (std::size_t i = 0; i < threads; i++) {
		int p[2];
		if (pipe2(p, O_CLOEXEC) != 0)
			abort();
		all_->of[i].input = p[0];
		output_[i] = p[1];
	}
	child_ = std::make_unique<child>([&] {
		for (std::size_t i = 0; i < threads; i++)
			std::thread(obey, std::ref(all_->of[i])).detach();
	});
	for (std::size_t i = 0; i < threads; i++) {
		while (tid(i) == 0)
			sched_yield();
		settle(i);
	}
}

puppets::~puppets()
{
	child_->end();
	for (std::size_t i = 0; i < most && all_->of[i].tid != 0; i++) {
		close(all_->of[i].input);
		close(output_[i]);
	}
}

void
puppets::order(deed what, std::size_t i)
{
	ordered_[i]++;
	BOOST_REQUIRE_EQUAL(write(output_[i], &what, sizeof what),
	    static_cast<ssize_t>(sizeof what));
}

void
puppets::sleep_in(deed what, std::size_t i)
{
	word(0, i) = word(1, i) = 0;
	order(what, i);
	while (returned(i) != ordered_[i])
		sched_yield();
	wait_for_state(tid(i), 'S');
}

void
puppets::run(deed what, std::size_t i)
{
	word(0, i) = word(1, i) = 0;
	order(what, i);
	told(word(1, i));
}

void
puppets::go_on(std::size_t i)
{
	word(0, i) = 1;
	syscall(SYS_futex, &word(0, i), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void
puppets::settle(std::size_t i) const
{
	while (all_->of[i].done != ordered_[i])
		sched_yield();
	wait_for_state(tid(i), 'S');
}

std::uint64_t
told(const std::atomic<std::uint64_t> &word)
{
	std::uint64_t w;
	while ((w = word) == 0)
		sched_yield();
	return w;
}
