// Asks the C library about the time zone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "time_text.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <ctime>

#include <fmt/format.h>

#include "clock.h"

namespace tools {
namespace {

constexpr std::int64_t a_second = 1'000'000'000;

// A number of seconds with a fraction, up to some 280 years.
bool
read_plain_seconds(const std::string &s, double &to)
{
	const char *const end = s.data() + s.size();
	const auto [at, error] = std::from_chars(s.data(), end, to,
	    std::chars_format::fixed);
	return error == std::errc() && at == end && to >= 0 && to < 9e9;
}

std::int64_t
in_ns(double seconds)
{
	return static_cast<std::int64_t>(std::llround(seconds * 1e6)) * 1000;
}

std::int64_t
now_ns()
{
	return static_cast<std::int64_t>(clock_ns(CLOCK_REALTIME));
}

bool
read_ago(const std::string &s, std::int64_t &ns)
{
	double value;
	if (!read_seconds(s, value))
		return false;
	ns = now_ns() - in_ns(value);
	return true;
}

// The time of this machine's zone, without the seconds.
bool
this_minute(std::tm &t)
{
	const std::time_t now = std::time(nullptr);
	if (localtime_r(&now, &t) == nullptr)
		return false;
	t.tm_sec = 0;
	return true;
}

bool
moment_of(std::tm t, std::int64_t &ns)
{
	t.tm_isdst = -1;
	const std::time_t s = std::mktime(&t);
	if (s == -1)
		return false;
	ns = s * a_second;
	return true;
}

// The beginning of a day: 0 is today, -1 yesterday.
bool
midnight(int days, std::int64_t &ns)
{
	std::tm t{};
	if (!this_minute(t))
		return false;
	t.tm_min = t.tm_hour = 0;
	t.tm_mday += days;
	return moment_of(t, ns);
}

// As journalctl(1) takes them: now, today, yesterday, 5 min ago, 2 hours ago.
bool
read_words(const std::string &s, std::int64_t &ns)
{
	if (s == "now") {
		ns = now_ns();
		return true;
	}
	if (s == "today" || s == "yesterday")
		return midnight(s == "today" ? 0 : -1, ns);
	std::string text = s;
	if (!text.ends_with(" ago"))
		return false;
	text.resize(text.size() - 4);
	const auto unit = text.find_first_not_of("0123456789.");
	if (unit == 0 || unit == text.npos)
		return false;
	const auto word = text.find_first_not_of(' ', unit);
	if (word == text.npos || std::strchr("smhd", text[word]) == nullptr ||
	    text.substr(word, 2) == "mo")
		return false;
	return read_ago(text.substr(0, unit) + text[word], ns);
}

} // namespace

bool
read_seconds(const std::string &text, double &to)
{
	std::string s = text;
	double unit = 1;
	if (!s.empty() && std::strchr("smhd", s.back()) != nullptr) {
		unit = s.back() == 'm' ? 60 : s.back() == 'h' ? 3600 :
		    s.back() == 'd' ? 86400 : 1;
		s.pop_back();
	}
	if (!read_plain_seconds(s, to) || to * unit >= 9e9)
		return false;
	to *= unit;
	return true;
}

bool
read_moment(const std::string &s, std::int64_t &ns)
{
	double value = 0;
	if (read_words(s, ns))
		return true;
	if (s.starts_with("-"))
		return read_ago(s.substr(1), ns);
	if (s.starts_with("@")) {
		if (!read_plain_seconds(s.substr(1), value))
			return false;
		ns = in_ns(value);
		return true;
	}
	std::tm t{};
	if (!this_minute(t))
		return false;
	const char *rest = nullptr;
	for (const char *form : {"%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%H:%M"})
		if (rest == nullptr)
			rest = strptime(s.c_str(), form, &t);
	if (rest == nullptr || (*rest != '\0' &&
	    (*rest != ':' || !read_plain_seconds(rest + 1, value) ||
	    value >= 61)))
		return false;
	if (!moment_of(t, ns))
		return false;
	ns += in_ns(value);
	return true;
}

std::string
moment_error(const std::string &s)
{
	std::int64_t unused;
	return read_moment(s, unused) ? std::string() :
	    "not a time, as 14:03, \"2026-11-23 14:03:05\", @1795000000, -10m "
	    "or \"5 min ago\": " + s;
}

std::string
moment_text(std::int64_t ns)
{
	std::int64_t seconds = ns / a_second, rest = ns % a_second;
	if (rest < 0) {
		rest += a_second;
		seconds--;
	}
	const std::time_t t = seconds;
	std::tm local{};
	char text[64] = "?";
	if (localtime_r(&t, &local) != nullptr)
		std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
	return fmt::format("{}.{:03}", text, rest / 1'000'000);
}

std::string
duration_text(std::uint64_t ns)
{
	const std::uint64_t s = ns / a_second;
	if (s < 10)
		return fmt::format("{:.1f} s", static_cast<double>(ns) / 1e9);
	if (s < 60)
		return fmt::format("{} s", s);
	if (s < 3600)
		return fmt::format("{} min {} s", s / 60, s % 60);
	if (s < 86400)
		return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
	return fmt::format("{} d {} h", s / 86400, s / 3600 % 24);
}

} // namespace tools
