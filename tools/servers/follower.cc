// Reads the newest segment again each minute: that costs less than to decode
// each tick twice while it is written.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "follower.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <poll.h>

#include "tools/lib/clock.h"
#include "tools/lib/command_line.h"
#include "tools/lib/text.h"
#include "tools/record/reader.h"
#include "tools/record/ring.h"

namespace servers {
namespace {

constexpr std::chrono::seconds usual_patience{5};
constexpr int first_retry_ms = 5'000, longest_retry_ms = 60'000;

// A tick has been written some time after its minute began.
int
ms_to_next_minute()
{
	const std::uint64_t now = tools::clock_ns(CLOCK_BOOTTIME) /
	    (1'000'000);
	return static_cast<int>(62'000 - now % 60'000);
}

// 00000042-20261124T140300Z.s9
std::uint64_t
number_of(const std::string &segment)
{
	return std::strtoull(segment.c_str(), nullptr, 10);
}

// Each server has a place of its own.
std::string
place_name(const std::string &dir, const address &to)
{
	std::string name = to.text();
	std::replace_if(name.begin(), name.end(), [](unsigned char c) {
		return c == '/' || c < ' ';
	}, '_');
	return dir + "/sent." + name;
}

} // namespace

follower::follower(const char *program, const std::string &dir,
    const address &to)
    : program_(program), dir_(dir), to_(to), up_(to, usual_patience),
      place_file_(place_name(dir, to))
{
	up_.when_taken([this](std::int64_t minute) {
		minute_ = minute;
		write_place();
	});
}

void
follower::say(const std::string &text) const
{
	std::fputs(fmt::format("{}: {}: {}\n", program_, to_.text(), text)
	    .c_str(), stderr);
}

void
follower::read_place()
{
	std::ifstream in(place_file_);
	in >> segment_ >> minute_;
}

// A file that is old, as one on a full disk is, makes batches come twice.  They
// count once.
void
follower::write_place()
{
	const std::string fresh = place_file_ + ".new";
	std::ofstream out(fresh);
	out << segment_ << ' ' << minute_ << '\n' << std::flush;
	if (out)
		std::rename(fresh.c_str(), place_file_.c_str());
}

// The ring has deleted segments that were not sent.
void
follower::drop_old(const std::vector<std::string> &names)
{
	if (!segment_.empty() && !names.empty() && names.front() > segment_)
		lost_ += number_of(names.front()) - number_of(segment_) -
		    (minute_ < 0 ? 0 : 1);
}

bool
follower::send_file(const std::string &name, bool is_written)
{
	if (name != segment_) {
		segment_ = name;
		minute_ = -1;
		write_place();
	}
	recording::reading r;
	up_.skip_to(minute_);
	up_.only_whole(is_written);
	up_.try_again();
	recording::read_file(dir_ + "/" + name, up_, r);
	for (const std::string &each : r.complaints)
		say(tools::printable(each));
	return !up_.failed();
}

// Sends all that there is.  False: the server has not taken all.
bool
follower::pass(bool last)
{
	std::vector<std::string> names;
	if (recording::segments_in(dir_, names) != 0)
		return true;
	drop_old(names);
	for (const std::string &name : names)
		if (name >= segment_ && !send_file(name,
		    &name == &names.back() && !last))
			return false;
	return true;
}

// Says what changed, and not the same again.
void
follower::report()
{
	const std::string now = up_.failed() ? up_.complaint() : "";
	if (now != reported_)
		say(now.empty() ? "it takes records again" :
		    now + "; it is tried again");
	if (up_.refused() != reported_refused_)
		say(fmt::format("{}, and {} not sent again",
		    up_.rejection(), up_.refused() - reported_refused_ == 1 ?
		    "it is" : "they are"));
	if (lost_ != reported_lost_)
		say(fmt::format("{} deleted before it took them",
		    tools::amount(lost_ - reported_lost_, "segment") +
		    (lost_ - reported_lost_ == 1 ? " was" : " were")));
	reported_ = now;
	reported_refused_ = up_.refused();
	reported_lost_ = lost_;
}

// Machines that lost the same server do not ask it at the same times.
int
follower::retry_ms()
{
	const int ms = std::min(longest_retry_ms, first_retry_ms <<
	    std::clamp(failures_ - 1, 0, 4));
	const int reported = static_cast<int>(up_.retry_after()) * 1000;
	return std::max(reported, ms - static_cast<int>(std::random_device()() %
	    static_cast<unsigned int>(ms / 2)));
}

bool
follower::open()
{
	const std::string why = up_.open();
	if (!why.empty())
		say(why);
	return why.empty();
}

int
follower::run(int until_fd)
{
	read_place();
	for (bool ends = false, good = true; !ends;) {
		pollfd p{until_fd, POLLIN, 0};
		ends = poll(&p, 1, good ? ms_to_next_minute() : retry_ms()) > 0;
		good = pass(ends);
		failures_ = good ? 0 : failures_ + 1;
		report();
		if (ends && good)
			return tools::exit_complete;
	}
	say("not all was sent; the next stackrecord into the directory sends "
	    "the rest");
	return tools::exit_output;
}

} // namespace servers
