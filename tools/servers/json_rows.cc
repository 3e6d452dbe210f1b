// Makes one object a row.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "json_rows.h"

#include <ctime>

#include <fmt/format.h>

#include "segment_values.h"
#include "tools/lib/json.h"
#include "tools/model/hex.h"
#include "tools/record/identity.h"

namespace servers {
namespace {

std::string
utc_text(std::int64_t ns)
{
	const std::time_t seconds = ns / 1'000'000'000;
	std::tm t{};
	gmtime_r(&seconds, &t);
	return fmt::format("{}-{:02}-{:02} {:02}:{:02}:{:02}.{:06}",
	    t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min,
	    t.tm_sec, ns % 1'000'000'000 / 1000);
}

// Other readers expect the same members in each row.
std::string
text_member(const char *key, const std::string &value)
{
	return tools::json_member(key, tools::utf8(value));
}

std::string
list_member(const char *key, const std::vector<std::string> &all)
{
	constexpr std::size_t before = sizeof("\"\":") - 1;
	std::string text;
	for (const std::string &each : all)
		text += (text.empty() ? "" : ",") +
		    text_member("", each).substr(before);
	return fmt::format("\"{}\":[{}]", key, text);
}

} // namespace

void
json_rows::put(const std::string &line)
{
	std::fwrite(line.data(), 1, line.size(), out_);
	lines_++;
}

void
json_rows::put_sample(const recording::segment &s, const run &r)
{
	const recording::segment_info &i = s.info();
	const recording::process &p = s.process_of(r.thread);
	const bool is_event = r.event != 0;
	put(fmt::format("{{\"time\":\"{}\",{},\"boot\":\"{:016x}\","
	    "\"pid\":{},\"tid\":{},{},{},{},{},{},\"stack\":\"{}\","
	    "\"weight\":{},\"period_us\":{}}}\n", utc_text(r.wall_ns),
	    text_member("host", i.host), boot_number(i), p.pid,
	    s.thread_of(r.thread).tid, text_member("comm", r.comm),
	    text_member("cgroup", p.cgroup),
	    text_member("event", is_event ? s.events()[r.event - 1].name :
	    "threads"),
	    text_member("state", is_event ? "" : std::string(1, r.state)),
	    text_member("wait", r.wait == 0 ? "" :
	    s.waits()[r.wait - 1].kind),
	    tools::in_hex(id_of(s, r.kernel, r.user)), r.weight,
	    is_event ? 0 : i.period_ns / 1000));
}

void
json_rows::put_stack(const recording::segment &s, const run &r)
{
	const std::string id = tools::in_hex(
	    id_of(s, r.kernel, r.user));
	if (!seen_.insert(id).second)
		return;
	const whole_stack all = whole_stack_of(s, r.kernel, r.user);
	put(fmt::format("{{\"stack\":\"{}\",{},{}}}\n", id,
	    list_member("frames", all.frames),
	    list_member("places", all.places)));
}

bool
json_rows::take(const recording::segment &s, const batch &b, bool)
{
	if (b.last_ns < when_.from || b.first_ns > when_.to)
		return true;
	for (const run &r : b.runs)
		if (stacks_)
			put_stack(s, r);
		else
			put_sample(s, r);
	return !std::ferror(out_);
}

} // namespace servers
