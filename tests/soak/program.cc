// Makes a random program of several processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "program.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <thread>

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actors.h"
#include "locks.h"

namespace soak {
namespace {

using generator = std::minstd_rand;

int
number(generator &d, std::size_t below)
{
	return static_cast<int>((d() >> 4) % below);
}

std::size_t
many(const ledger &l)
{
	return static_cast<std::size_t>(l.processes);
}

object &
add(ledger &l, thing kind, int process)
{
	object &o = l.objects[l.object_count++];
	o.kind = kind;
	o.process = process;
	o.reader = o.writer = -1;
	return o;
}

// Two that wait for each other's file are reported as processes, and one thread
// that waits for its own read-write lock is refused by the C library; so is a
// circle of locks that inherit priority, by the kernel.
void
choose_group(ledger &l, generator &d)
{
	group &g = l.stuck;
	if (number(d, 5) < 2)
		return;
	g.members = 1 + number(d, std::size_t{most_members});
	g.timed = number(d, 4) == 0 && g.members > 1;
	bool together = true;
	for (int i = 0; i < g.members; i++) {
		g.actors[i] = l.actor_count;
		l.actors[l.actor_count++].process = number(d, many(l));
		together = together && l.actors[g.actors[i]].process ==
		    l.actors[g.actors[0]].process;
	}
	for (int i = 0; i < g.members; i++) {
		static constexpr thing kinds[] = {thing::mutex, thing::mutex,
		    thing::robust, thing::rw, thing::inherits, thing::flocked,
		    thing::described};
		thing kind = g.members == 1 ? thing::mutex :
		    kinds[number(d, std::size(kinds))];
		if ((kind == thing::inherits && i != 1) ||
		    (is_file(kind) && l.stuck.timed))
			kind = thing::robust;
		g.by_files = g.by_files || is_file(kind);
		object &o = add(l, kind, together ?
		    l.actors[g.actors[0]].process : -1);
		o.of_group = true;
	}
}

void
choose(ledger &l, generator &d)
{
	static constexpr std::uint64_t longest[] = {300'000, 3'000'000,
	    30'000'000, 1'000'000'000, 10'000'000'000};
	static constexpr thing owned[] = {thing::mutex, thing::mutex,
	    thing::robust, thing::inherits, thing::rw, thing::rw,
	    thing::flocked, thing::described, thing::posix};
	static constexpr thing others[] = {thing::condition, thing::semaphore,
	    thing::barrier, thing::word};
	l.processes = 1 + number(d, std::size_t{most_processes});
	l.longest_ns = longest[number(d, std::size(longest))];
	const auto home = [&] {
		return number(d, 3) == 0 ? -1 : number(d, many(l));
	};
	for (int n = 2 + number(d, 6); n > 0; n--)
		add(l, owned[number(d, std::size(owned))], home());
	for (int n = number(d, 5); n > 0; n--)
		add(l, others[number(d, std::size(others))], home());
	for (int n = number(d, 5); n > 0; n--) {
		object &o = add(l, number(d, 2) == 0 ? thing::piped :
		    thing::paired, -1);
		o.reader = number(d, many(l));
		o.writer = number(d, many(l));
	}
	if (number(d, 2) == 0) {
		object &o = add(l, thing::event, -1);
		o.reader = o.writer = number(d, many(l));
	}
	for (int n = 2 + number(d, 24); n > 0; n--)
		l.actors[l.actor_count++].process = number(d, many(l));
	choose_group(l, d);
}

// A process keeps the ends that are its own.
void
close_ends(ledger &l, int process)
{
	for (int i = 0; i < l.object_count; i++) {
		object &o = l.objects[i];
		if (o.reader >= 0 && o.reader != process)
			close(o.ends[0]);
		if (o.writer >= 0 && o.writer != process &&
		    o.ends[1] != o.ends[0])
			close(o.ends[1]);
	}
}

[[noreturn]] void
live(ledger &l, int process, unsigned int seed)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close_ends(l, process);
	l.pids[process] = getpid();
	l.begun.fetch_add(1);
	std::thread(wake_others, std::ref(l), process, seed).detach();
	for (int i = 0; i < l.actor_count; i++) {
		int member = -1;
		for (int m = 0; m < l.stuck.members; m++)
			if (l.stuck.actors[m] == i)
				member = m;
		if (l.actors[i].process != process)
			continue;
		if (member >= 0)
			std::thread(lock_up, std::ref(l), member).detach();
		else
			std::thread(act_at_random, std::ref(l), i, seed * 100 +
			    static_cast<unsigned int>(i)).detach();
	}
	for (;;)
		pause();
}

void
make_all(ledger &l, const char *directory)
{
	for (int i = 0; i < l.object_count; i++) {
		object &o = l.objects[i];
		if (o.kind == thing::event)
			o.ends[0] = o.ends[1] = eventfd(0, EFD_CLOEXEC);
		else
			make(o, i, directory);
	}
}

} // namespace

program::program(unsigned int seed)
{
	notes_ = static_cast<ledger *>(mmap(nullptr, sizeof *notes_,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	if (notes_ == MAP_FAILED)
		throw std::runtime_error("mmap");
	ledger &l = *notes_;
	generator d(seed * 7919 + 1);
	choose(l, d);
	root_ = fork();
	if (root_ == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		make_all(l, directory_.path().c_str());
		for (int i = 0; i < l.processes; i++)
			if (fork() == 0)
				live(l, i, seed);
		close_ends(l, -1);
		l.begun.fetch_add(1);
		for (;;)
			pause();
	}
	setpgid(root_, root_);
	while (l.begun.load() < l.actor_count + l.processes + 1)
		usleep(1000);
	l.ready.store(1);
}

program::~program()
{
	kill(-root_, SIGKILL);
	waitpid(root_, nullptr, 0);
	munmap(notes_, sizeof *notes_);
}

std::vector<pid_t>
program::pids() const
{
	return {notes_->pids, notes_->pids + notes_->processes};
}

} // namespace soak
