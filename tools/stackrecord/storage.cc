// Tries a disk that is full again each five seconds.  The ticks of this time
// are missing, and the next segment says how many.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "storage.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include "say.h"
#include "tools/lib/text.h"

namespace stackrecord {
namespace {

constexpr std::uint64_t pause_ns = 5 * second;

} // namespace

storage::storage(const options &o)
    : dir_(o.dir), writer_(ring_, {o.max_size, o.max_age_s},
      {recording::segment_limits().bytes, o.segment_s * second})
{
}

bool
storage::open()
{
	const int error = ring_.open(dir_);
	if (error != 0)
		say("{}: {}", tools::printable(dir_), error == EBUSY ?
		    "another stackrecord records into it" :
		    std::strerror(error));
	// A file that is too large is an error like any other.
	std::signal(SIGXFSZ, SIG_IGN);
	return error == 0;
}

void
storage::begin(recording::segment_info &info)
{
	info.missed = static_cast<std::uint32_t>(missed_lately());
	writer_.begin(info);
}

void
storage::put(const recording::tick &t, std::uint64_t now)
{
	const int error = writer_.put(t);
	if (error == 0) {
		if (error_ != 0)
			say("{}: recording goes on; {} ticks are missing",
			    tools::printable(dir_), missed_lately());
		error_ = 0;
		stored_ = missed_;
		return;
	}
	if (error != error_)
		say("{}: {}; it is tried again each 5 seconds",
		    tools::printable(dir_), std::strerror(error));
	error_ = error;
	retry_ = now + pause_ns;
	missed_++;
}

} // namespace stackrecord
