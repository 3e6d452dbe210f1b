// Watches, and makes one line of each stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watched.h"

#include <atomic>
#include <cerrno>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <stack9.h>
#include <stack9_frames.h>

watched::watched(const std::string &event, pid_t pid, const char *language,
    const std::string &of, unsigned int flags, std::uint64_t limit)
    : language_(language), of_(of)
{
	stack9_watch_options o{};
	o.size = sizeof o;
	o.pid = pid;
	o.side = STACK9_USER;
	o.flags = flags;
	o.limit = limit;
	o.ring = 64 << 20;
	BOOST_REQUIRE_EQUAL(stack9_watch_open(event.c_str(), &o, &watch_), 0);
}

void
watched::add(const stack9_sample &s)
{
	std::string line;
	for (std::uint32_t i = 0; i < s.user->written_count; i++) {
		const stack9_written &w = s.user->written[i];
		if (w.language != language_ || (!of_.empty() && of_ != w.file))
			continue;
		line += (line.empty() ? "" : "|") + std::string(w.name) + "|" +
		    w.file + "|" + std::to_string(w.line);
		guessed += (w.flags & STACK9_WRITTEN_GUESSED) != 0;
		misplaced += w.index >= s.user->depth;
	}
	all_[line] += s.events;
}

int
watched::take(void *arg, const stack9_sample *s) noexcept
{
	static_cast<watched *>(arg)->add(*s);
	return 0;
}

const stack_counts &
watched::count()
{
	all_.clear();
	guessed = misplaced = 0;
	while (stack9_watch_read(watch_, 0, take, this) == 0)
		continue;
	BOOST_REQUIRE_EQUAL(stack9_watch_each(watch_, take, this), 0);
	return all_;
}

// A count has a stack with functions once the kernel has reported them.
void
watched::warm(counted_program &p, const std::string &line)
{
	constexpr int most = 500;
	for (int i = 0; i < most; i++) {
		p.ask(line);
		stack9_watch_read(watch_, 10, take, this);
		for (const auto &[stack, events] : count())
			if (!stack.empty())
				return;
	}
	BOOST_FAIL("no event has functions of the language");
}

stack_counts
watched::run(counted_program &p, const std::string &line)
{
	stack_counts said;
	std::atomic<bool> done = false;
	std::thread reads([&] {
		while (!done)
			stack9_watch_read(watch_, 10, nullptr, nullptr);
	});
	try {
		said = p.counts(line);
	} catch (...) {
		done = true;
		reads.join();
		throw;
	}
	done = true;
	reads.join();
	return said;
}

void
watched::stop()
{
	BOOST_REQUIRE_EQUAL(stack9_watch_stop(watch_), 0);
}

stack9_tally
watched::tally() const
{
	stack9_tally t{};
	t.size = sizeof t;
	BOOST_REQUIRE_EQUAL(stack9_watch_tally(watch_, &t), 0);
	return t;
}

counted_events::counted_events(const std::vector<std::string> &command,
    const char *language, const std::string &line, unsigned int flags,
    const std::string &event)
{
	counted_program p(command);
	watched w(event, p.pid(), language, "", flags);
	w.warm(p, "warm");
	said = w.run(p, line);
	w.stop();
	seen = w.count();
	guessed = w.guessed;
	misplaced = w.misplaced;
	tally = w.tally();
}
