// Writes the tables in the SQL that servers from 18.16 on know.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "clickhouse.h"

#include <fmt/format.h>

namespace servers {
namespace {

constexpr char stacks_of_table[] =
    "    stack FixedString(16),         -- its name: hex(stack)\n"
    "    frames Array(String),          -- the outermost first\n"
    "    places Array(String)           -- build-id+0xaddress, or ''\n";

constexpr char samples_of_table[] =
    "    time DateTime,                 -- when it began\n"
    "    ns UInt32,                     -- and nanoseconds\n"
    "    host String,\n"
    "    boot UInt64,                   -- hosts may share a name\n"
    "    pid UInt32,\n"
    "    tid UInt32,\n"
    "    comm String,\n"
    "    cgroup String,\n"
    "    event String,                  -- threads, or what happened\n"
    "    state String,                  -- R, S, D, ...\n"
    "    wait String,                   -- mutex, pipe, ... or ''\n"
    "    stack FixedString(16),\n"
    "    weight UInt64,                 -- ticks for which it went on\n"
    "    period_us UInt32               -- between two ticks, 0: event\n";

std::string
table(const std::string &name, const char *columns, const char *engine)
{
	return fmt::format("CREATE TABLE IF NOT EXISTS {}\n(\n{})\n"
	    "ENGINE = {};\n\n", name, columns, engine);
}

std::string
distributed(const std::string &cluster, const char *name,
    const char *columns)
{
	const std::string engine = fmt::format("Distributed({}, "
	    "currentDatabase(), {}_shard, sipHash64(stack))", cluster, name);
	return table(name, columns, engine.c_str());
}

} // namespace

// A row that comes again has the same key, and the greatest weight of a key
// stays: a file that was read while it was written may have had less.
std::string
clickhouse_schema(const std::string &cluster)
{
	const std::string end = cluster.empty() ? "" : "_shard";
	std::string text = table("stacks" + end, stacks_of_table,
	    "ReplacingMergeTree() ORDER BY stack") +
	    table("samples" + end, samples_of_table,
	    "ReplacingMergeTree(weight) PARTITION BY toYYYYMMDD(time)\n"
	    "ORDER BY (host, time, tid, ns, boot, event, stack)");
	if (!cluster.empty())
		text += distributed(cluster, "stacks", stacks_of_table) +
		    distributed(cluster, "samples", samples_of_table);
	return text;
}

} // namespace servers
