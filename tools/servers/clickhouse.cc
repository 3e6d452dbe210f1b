// Writes rows in the format RowBinary.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "clickhouse.h"

#include <string_view>

#include <fmt/format.h>

#include "http.h"
#include "segment_values.h"
#include "tools/lib/json.h"
#include "tools/record/identity.h"

namespace servers {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::size_t most_known = std::size_t{1} << 20;	// stacks
constexpr std::size_t most_of_request = std::size_t{8} << 20;	// of a request

template <class Number>
void
put(std::string &to, Number value)
{
	for (std::size_t i = 0; i < sizeof value; i++)
		to += static_cast<char>(value >> 8 * i);
}

void
put_size(std::string &to, std::size_t size)
{
	for (; size >= 128; size >>= 7)
		to += static_cast<char>(size | 128);
	to += static_cast<char>(size);
}

void
put_text(std::string &to, std::string_view text)
{
	put_size(to, text.size());
	to += text;
}

void
put_texts(std::string &to, const std::vector<std::string> &all)
{
	put_size(to, all.size());
	for (const std::string &each : all)
		put_text(to, each);
}

std::string
bytes_of(const recording::identity &id)
{
	return {reinterpret_cast<const char *>(id.data()), id.size()};
}

// The letters of URLs are few.
std::string
quoted(const std::string &text)
{
	std::string out;
	for (const unsigned char c : text)
		out += (c >= '0' && c <= '9') || ((c | 32) >= 'a' &&
		    (c | 32) <= 'z') ? std::string(1, static_cast<char>(c)) :
		    fmt::format("%{:02X}", c);
	return out;
}

void
put_sample(std::string &to, const recording::segment &s, const run &r,
    const std::string &stack)
{
	const recording::segment_info &i = s.info();
	const recording::process &p = s.process_of(r.thread);
	put(to, static_cast<std::uint32_t>(r.wall_ns / second_ns));
	put(to, static_cast<std::uint32_t>(r.wall_ns % second_ns));
	put_text(to, tools::utf8(i.host));
	put(to, boot_number(i));
	put(to, static_cast<std::uint32_t>(p.pid));
	put(to, static_cast<std::uint32_t>(s.thread_of(r.thread).tid));
	put_text(to, tools::utf8(r.comm));
	put_text(to, tools::utf8(p.cgroup));
	const bool is_event = r.event != 0;
	put_text(to, is_event ? tools::utf8(s.events()[r.event - 1].name) :
	    "threads");
	put_text(to, is_event ? std::string_view() :
	    std::string_view(&r.state, 1));
	put_text(to, r.wait == 0 ? "" :
	    tools::utf8(s.waits()[r.wait - 1].kind));
	to += stack;
	put(to, r.weight);
	put(to, is_event ? 0 : static_cast<std::uint32_t>(
	    i.period_ns / 1000));
}

constexpr char sample_columns[] = "samples (time, ns, host, boot, pid, tid, "
    "comm, cgroup, event, state, wait, stack, weight, period_us)";
constexpr char stack_columns[] = "stacks (stack, frames, places)";

} // namespace

// The answer comes when all shards have the rows, not when one server has
// promised to send them on.
request
clickhouse::insert(const char *columns, const std::string &rows) const
{
	const auto question = to_.path.find('?');
	const std::string database = to_.path.substr(0, question);
	std::string path = "/?insert_distributed_sync=1&query=" + quoted(
	    std::string("INSERT INTO ") + columns + " FORMAT RowBinary");
	if (!database.empty())
		path += "&database=" + quoted(database);
	if (question != to_.path.npos)
		path += "&" + to_.path.substr(question + 1);
	return {path, {"Content-Type: application/octet-stream",
	    "Content-Encoding: gzip"}, compressed(rows)};
}

std::vector<request>
clickhouse::requests_of(const recording::segment &s, const batch &b)
{
	std::vector<request> list;
	std::string samples, stacks;
	fresh_.clear();
	if (sent_.size() > most_known)
		sent_.clear();
	for (const run &r : b.runs) {
		const std::string id = bytes_of(id_of(s, r.kernel, r.user));
		put_sample(samples, s, r, id);
		if (sent_.count(id) != 0 || !fresh_.insert(id).second)
			continue;
		const whole_stack all = whole_stack_of(s, r.kernel, r.user);
		stacks += id;
		put_texts(stacks, all.frames);
		put_texts(stacks, all.places);
		if (stacks.size() < most_of_request)
			continue;
		list.push_back(insert(stack_columns, stacks));
		stacks.clear();
	}
	if (!stacks.empty())
		list.push_back(insert(stack_columns, stacks));
	list.push_back(insert(sample_columns, samples));
	rows_ += b.runs.size();
	stacks_ += fresh_.size();
	return list;
}

void
clickhouse::taken()
{
	sent_.merge(fresh_);
	fresh_.clear();
}

} // namespace servers
