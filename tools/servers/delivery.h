// Sends requests one after the other, in a thread of its own: events go on to
// be counted while a server is slow.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "address.h"
#include "http.h"
#include "requests.h"

namespace servers {

class delivery {
public:
	explicit delivery(const address &a) : to_(a) {}
	~delivery();
	delivery(const delivery &) = delete;
	delivery &operator=(const delivery &) = delete;

	// Starts the thread.  Returns "" or what helps.
	std::string	open();
	// Adds a request.  While the server is away, the oldest are dropped
	// above 64 MiB.
	void	add(request &&);
	// Waits until all have been sent or so much time has passed, and ends
	// the thread.
	void	finish(std::chrono::seconds);

	// After finish().
	struct counts {
		std::size_t	sent = 0, refused = 0, dropped = 0, left = 0;
	};
	counts	result() const;
	// Says what was wrong last; "" if nothing was.
	std::string	complaint() const { return complaint_; }

private:
	using clock = std::chrono::steady_clock;
	using lock = std::unique_lock<std::mutex>;

	void	run();
	bool	take(const answer &);
	void	pause(lock &, const answer &);

	const address	to_;
	http		http_;
	std::mutex	mutex_;
	std::condition_variable news_, idle_;
	// A list: the first one is on its way while others come and go.
	std::list<request> waiting_;
	std::size_t	bytes_ = 0;
	bool		ends_ = false;
	std::chrono::milliseconds delay_{0};
	counts		counts_;
	std::string	complaint_;
	std::thread	thread_;
};

} // namespace servers
