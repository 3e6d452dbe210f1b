// Tries again what a server may take later, each time after twice as long, and
// drops what it refuses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "delivery.h"

#include <algorithm>
#include <csignal>
#include <iterator>

namespace servers {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr milliseconds first_delay{100}, longest_delay{10'000};

} // namespace

delivery::~delivery()
{
	finish(std::chrono::seconds(0));
}

// Signals belong to the threads that wait for them.
std::string
delivery::open()
{
	std::string why = http_.open();
	if (!why.empty())
		return why;
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	thread_ = std::thread([this] { run(); });
	pthread_sigmask(SIG_SETMASK, &before, nullptr);
	return {};
}

void
delivery::add(request &&r)
{
	const lock held(mutex_);
	bytes_ += r.body.size();
	waiting_.push_back(std::move(r));
	// The first one may be on its way.
	while (bytes_ > most_bytes && waiting_.size() > 2) {
		const auto second = std::next(waiting_.begin());
		bytes_ -= second->body.size();
		waiting_.erase(second);
		counts_.dropped++;
	}
	news_.notify_one();
}

// Returns true if the first request is done with.
bool
delivery::take(const answer &a)
{
	if (a.is_good()) {
		complaint_ = rejection_in(to_, a);
		(complaint_.empty() ? counts_.sent : counts_.refused)++;
		delay_ = milliseconds(0);
		return true;
	}
	complaint_ = a.text();
	counts_.refused += !a.may_pass_later();
	return !a.may_pass_later();
}

void
delivery::pause(lock &held, const answer &a)
{
	delay_ = std::clamp(delay_ * 2, first_delay, longest_delay);
	if (a.retry_after != 0)
		delay_ = std::chrono::seconds(a.retry_after);
	news_.wait_for(held, delay_, [this] { return ends_; });
}

void
delivery::run()
{
	lock held(mutex_);
	for (;;) {
		idle_.notify_all();
		news_.wait(held,
		    [this] { return ends_ || !waiting_.empty(); });
		if (ends_)
			return;
		const request &r = waiting_.front();
		held.unlock();
		const answer a = http_.post(to_, r.path, r.headers, r.body);
		held.lock();
		if (take(a)) {
			bytes_ -= waiting_.front().body.size();
			waiting_.pop_front();
		} else {
			pause(held, a);
		}
	}
}

void
delivery::finish(std::chrono::seconds patience)
{
	if (!thread_.joinable())
		return;
	{
		lock held(mutex_);
		idle_.wait_for(held, patience,
		    [this] { return waiting_.empty(); });
		ends_ = true;
		news_.notify_all();
	}
	thread_.join();
}

delivery::counts
delivery::result() const
{
	counts c = counts_;
	c.left = waiting_.size();
	return c;
}

} // namespace servers
