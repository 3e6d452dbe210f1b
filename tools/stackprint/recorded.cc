// Finds a recorded moment and prints it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "recorded_snapshot.h"
#include "results.h"
#include "tools/lib/command_line.h"
#include "tools/lib/rights.h"
#include "tools/lib/text.h"
#include "tools/lib/time_text.h"
#include "tools/record/named_later.h"
#include "tools/record/records.h"

namespace stackprint {
namespace {

// Keeps the last segment that had begun by then, as it was at that time.
class finder final : public recording::visitor {
public:
	explicit finder(std::int64_t at) : at_(at) {}

	bool
	at(const recording::segment &, const recording::tick &t) override
	{
		return recording::wall_ns(t) <= at_;
	}
	void
	end(const recording::segment &s, bool) override
	{
		if (s.boot_ns() != 0)
			found.emplace(s);
	}

	std::optional<recording::segment> found;

private:
	const std::int64_t	at_;
};

int
print_moment(const options &o, const recording::segment &s)
{
	results r(o, false);
	recorded_snapshot m(o, s, r.all_names());
	std::vector<sample_ptr> all;
	for (std::uint32_t n = 1; n <= s.threads().size(); n++)
		if (sample_ptr each = m.sample_of(n))
			all.push_back(std::move(each));
	std::ranges::sort(all, [](const sample_ptr &a, const sample_ptr &b) {
		return std::tie(a->thread.pid, a->thread.tid) <
		    std::tie(b->thread.pid, b->thread.tid);
	});
	r.out().message("recorded on {} at {}", printable(s.info().host),
	    moment_text(static_cast<std::int64_t>(s.boot_ns()) +
	    s.wall_minus_boot()));
	for (const sample_ptr &each : all)
		if (r.good())
			r.add(each);
	return r.finish();
}

} // namespace

int
print_recorded(const options &o)
{
	// The record is read with the caller's rights.
	if (borrowed_rights() && !give_up_rights())
		return exit_none;
	std::int64_t at = std::numeric_limits<std::int64_t>::max();
	if (!o.at.empty())
		read_moment(o.at, at);
	finder f(at);
	later_names names(o.debug_dirs);
	recording::reading r;
	recording::name_later(r, names);
	const bool good = recording::read_records({o.record}, {at, at}, f, r);
	for (const std::string &each : r.complaints)
		output().message("{}", printable(each));
	if (!f.found.has_value()) {
		output().message("{}: nothing is recorded of that time",
		    printable(o.record));
		return exit_none;
	}
	const int status = print_moment(o, *f.found);
	return status == exit_complete && !good ? int{exit_partial} : status;
}

} // namespace stackprint
