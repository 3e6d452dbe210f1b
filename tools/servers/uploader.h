// Sends the batches of records, each one when the server has taken the one
// before.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "address.h"
#include "batches.h"
#include "clickhouse.h"
#include "http.h"
#include "requests.h"
#include "tools/lib/time_text.h"

namespace servers {

class uploader final : public batches {
public:
	// patience: for which a request is tried again.
	uploader(const address &a, std::chrono::seconds patience)
	    : to_(a), clickhouse_(a), patience_(patience) {}

	std::string	open() { return http_.open(); }

	// Batches up to this minute of the next segment have been sent; -1:
	// none.
	void	skip_to(std::int64_t minute) { skip_ = minute; }
	// Leaves out batches that have nothing of an interval.
	void	only_within(const tools::interval &i) { when_ = i; }
	// Leaves out the last batch of a segment that is being written.
	void	only_whole(bool yes) { only_whole_ = yes; }
	// Calls this when all batches of a minute were taken.
	void	when_taken(std::function<void(std::int64_t minute)> f)
	{
		when_taken_ = std::move(f);
	}
	// After a failure nothing is read or sent until then.
	void	try_again() { failed_ = false; }
	bool	failed() const { return failed_; }

	bool	begin(const recording::segment_info &) override;

	// Says what went wrong last; "" if nothing did.
	const std::string &complaint() const { return complaint_; }
	// Says what was wrong with the last batch that was taken in part only.
	const std::string &rejection() const { return rejection_; }
	// The seconds for which a busy server asks to be left alone.
	unsigned int	retry_after() const { return retry_after_; }
	std::uint64_t	sent() const { return sent_; }
	std::uint64_t	refused() const { return refused_; }
	std::uint64_t	samples() const { return samples_; }

protected:
	bool	take(const recording::segment &, const batch &, bool whole)
		    override;

private:
	bool	send(const request &);
	std::vector<request>	requests_of(const recording::segment &,
				    const batch &);

	const address	to_;
	http		http_;
	clickhouse	clickhouse_;
	const std::chrono::seconds patience_;
	std::int64_t	skip_ = -1;
	tools::interval when_;
	bool		only_whole_ = false, failed_ = false;
	unsigned int	retry_after_ = 0;
	std::function<void(std::int64_t)> when_taken_;
	std::string	complaint_, rejection_;
	std::uint64_t	sent_ = 0, refused_ = 0, samples_ = 0;
};

} // namespace servers
