// Tries again while the server is busy or away, and stops at what it refuses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "uploader.h"

#include <algorithm>
#include <thread>

#include "segment_values.h"

namespace servers {

std::vector<request>
uploader::requests_of(const recording::segment &s, const batch &b)
{
	if (to_.kind == service::clickhouse)
		return clickhouse_.requests_of(s, b);
	std::vector<request> one;
	one.push_back(request_of(to_, profile_of(s, b)));
	return one;
}

bool
uploader::send(const request &r)
{
	using std::chrono::milliseconds, std::chrono::steady_clock;
	const auto until = steady_clock::now() + patience_;
	for (milliseconds delay{100};; delay *= 2) {
		const answer a = http_.post(to_, r.path, r.headers, r.body);
		complaint_ = a.is_good() ? rejection_in(to_, a) : a.text();
		retry_after_ = a.is_good() ? 0 : a.retry_after;
		if (a.is_good() && !complaint_.empty()) {
			rejection_ = complaint_;
			refused_++;
		}
		if (a.is_good() || !a.may_pass_later())
			return a.is_good();
		const milliseconds pause = std::max<milliseconds>(
		    std::chrono::seconds(a.retry_after),
		    std::min(delay, milliseconds(10'000)));
		if (steady_clock::now() + pause > until)
			return false;
		std::this_thread::sleep_for(pause);
	}
}

bool
uploader::begin(const recording::segment_info &i)
{
	return !failed_ && batches::begin(i);
}

bool
uploader::take(const recording::segment &s, const batch &b, bool whole)
{
	const auto minute = static_cast<std::int64_t>(b.minute);
	if ((!whole && only_whole_) || minute <= skip_ ||
	    b.last_ns < when_.from || b.first_ns > when_.to)
		return true;
	for (const request &r : requests_of(s, b))
		if (!send(r)) {
			failed_ = true;
			return false;
		}
	clickhouse_.taken();
	sent_ += b.ends_minute;
	for (const run &r : b.runs)
		samples_ += r.event == 0 ? r.weight : 0;
	if (b.ends_minute && when_taken_)
		when_taken_(minute);
	return true;
}

} // namespace servers
