// Groups the threads of one process by themselves if a screen would not hold
// them one by one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <unistd.h>

#include "tools/lib/proc.h"
#include "tools/lib/rights.h"

namespace stackprint {
namespace {

constexpr int many_threads = 20;

bool
has_many_threads(pid_t pid)
{
	stat_facts facts;
	const lowered guard(borrowed_rights());
	return guard && read_stat(pid, pid, facts) &&
	    facts.threads > many_threads;
}

// A person who looks at a few threads or processes asks what they wait for.
// Rights that a file lends do not suffice for that.
bool
reports_waits(const options &o)
{
	return (!o.tids.empty() || !o.pids.empty()) && !o.no_waits &&
	    !o.waits && !o.why && !o.watches() && !o.procstat && !o.stop &&
	    !o.async.has_value() && o.is_live() &&
	    (o.sides() & STACK9_USER) != 0 && !borrowed_rights();
}

} // namespace

options
for_terminal(options o)
{
	if (!isatty(STDOUT_FILENO) || o.json)
		return o;
	o.few_ids = !o.addresses;
	o.advise_on_files = true;
	o.waits_unasked = reports_waits(o);
	o.waits |= o.waits_unasked;
	const bool has_groups = !o.no_group && !o.procstat && !o.why &&
	    !o.follow.has_value() && !o.top;
	if (has_groups && o.pids.size() == 1 && !o.children)
		o.group |= has_many_threads(o.pids[0]);
	return o;
}

} // namespace stackprint
