// Refuses options that are right one by one and contradict each other.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include "tools/lib/program.h"

namespace stackprint {
namespace {

const char *
async_contradiction(const options &o)
{
	if (o.now && !o.async.has_value())
		return "--now goes with --async";
	if (o.now && o.sides() == STACK9_KERNEL)
		return "--now is for user stacks, which -k leaves out";
	if (o.now && o.all)
		return "--now goes with tids or -p, not with -a";
	if (o.stop && o.async.has_value())
		return "--stop and --async are two ways; give one of them";
	return nullptr;
}

const char *
wait_contradiction(const options &o)
{
	if (o.no_waits && (o.waits || o.why))
		return "--no-waits does not go with --waits or --why";
	if (!o.waits && !o.why)
		return nullptr;
	if (o.waits && o.why)
		return "--why has what --waits has; give one of them";
	if (o.why && o.group)
		return "--why prints no groups; --waits does";
	if (o.async.has_value() || o.stop || o.procstat)
		return "--waits and --why do not go with --async, --stop or "
		    "--procstat";
	return nullptr;
}

const char *
look_contradiction(const options &o)
{
	if (o.changes && !o.follow.has_value())
		return "--changes goes with --follow";
	const int looks = o.follow.has_value() + o.stuck.has_value() + o.top;
	if (looks == 0)
		return nullptr;
	if (looks > 1)
		return "--follow, --stuck or --top, one of them";
	if (o.why || o.async.has_value() || o.stop || o.procstat)
		return "--follow, --stuck and --top do not go with --why, "
		    "--async, --stop or --procstat";
	if (o.group && !o.stuck.has_value())
		return "--follow and --top do not go with --group";
	if (o.top && (o.json || o.waits))
		return "--top does not go with --json or --waits";
	return nullptr;
}

const char *
side_contradiction(const options &o)
{
	if (o.procstat && (o.json || o.group || o.only_user ||
	    o.async.has_value()))
		return "--procstat does not go with --json, --group, -u or "
		    "--async";
	if (o.group && o.no_group)
		return "--group or --no-group, one of them";
	const bool user = o.sides() != STACK9_KERNEL && !o.procstat;
	if (!user && (o.inlines || o.lines))
		return "-I and -l are for user stacks, which -k leaves out";
	if (!user && o.stop)
		return "--stop is for user stacks, which -k leaves out";
	if (o.stop && o.all)
		return "--stop goes with tids or -p, not with -a";
	if (o.debuginfod && !o.inlines && !o.lines && o.core.empty())
		return "--debuginfod goes with -I, -l or --core";
	if (o.debuginfod && no_debuginfod() != nullptr)
		return no_debuginfod();
	if (const char *const what = wait_contradiction(o))
		return what;
	if (const char *const what = look_contradiction(o))
		return what;
	return async_contradiction(o);
}

// A record has neither lines nor waits, and what is not in it cannot be asked
// any more.
const char *
record_contradiction(const options &o)
{
	if (o.record.empty())
		return o.at.empty() ? "--debug-dir goes with --record or "
		    "--core" : "--at goes with --record";
	if (o.inlines || o.lines || o.stop || o.async.has_value() || o.now ||
	    o.waits || o.why || o.procstat || o.children || o.check ||
	    o.watches() || o.changes || !o.pin.empty())
		return "--record goes with tids, -p, filters, and options "
		    "about what is printed of stacks, except -I, -l and "
		    "--procstat";
	if (o.group && o.no_group)
		return "--group or --no-group, one of them";
	return nullptr;
}

// A core has user stacks alone, and nothing else can be asked any more.
const char *
core_contradiction(const options &o)
{
	if (o.core.empty())
		return "--sysroot goes with --core";
	if (!o.pids.empty() || o.all || o.any_filter() || o.children ||
	    !o.record.empty() || !o.at.empty() || o.check || !o.pin.empty())
		return "--core goes with tids, and options about what is "
		    "printed of user stacks";
	if (o.waits && o.why)
		return "--why has what --waits has; give one of them";
	if (o.no_waits && (o.waits || o.why))
		return "--no-waits does not go with --waits or --why";
	if (o.why && o.group)
		return "--why prints no groups; --waits does";
	if (o.sides() == STACK9_KERNEL || o.procstat || o.stop ||
	    o.async.has_value() || o.now || o.watches() || o.changes)
		return "--core goes with options about what is printed of user "
		    "stacks: a core has no other";
	if (o.group && o.no_group)
		return "--group or --no-group, one of them";
	return nullptr;
}

// A dump has all threads of one process, and nothing is printed of them.
const char *
dump_contradiction(const options &o)
{
	if (o.core.empty() ? o.tids.size() != 1 : !o.tids.empty())
		return "--dump goes with the pid of one process, or with "
		    "--core";
	if (!o.pids.empty() || o.all || o.any_filter() || o.children ||
	    !o.record.empty() || !o.at.empty() || o.check || !o.pin.empty() ||
	    o.waits || o.why || o.group || o.watches() || o.changes ||
	    o.async.has_value() || o.now || o.procstat || o.json ||
	    o.only_kernel || (o.stop && !o.core.empty()))
		return "--dump goes with --core, --sysroot, --debug-dir, "
		    "--stop and -v";
	if (o.core.empty() && !o.sysroot.empty())
		return "--sysroot goes with --core";
	return nullptr;
}

} // namespace

const char *
contradiction(const options &o)
{
	if (!o.dump.empty())
		return dump_contradiction(o);
	const int targets = !o.tids.empty() + !o.pids.empty() + o.all;
	if (targets + o.check > 1)
		return "give tids, -p, -a or --check, one of them";
	if (!o.core.empty() || !o.sysroot.empty())
		return core_contradiction(o);
	if (!o.record.empty() || !o.at.empty() || !o.debug_dirs.empty())
		return record_contradiction(o);
	if (targets + o.check + o.any_filter() == 0 && o.pin.empty())
		return "no thread is named";
	if (o.any_filter() && (!o.tids.empty() || o.check))
		return "--comm, --state, --cgroup, --unit and --container go "
		    "with -p or -a, or alone";
	if (o.children && o.pids.empty())
		return "--children goes with -p";
	if (o.check && !o.pin.empty())
		return "--pin does not go with --check";
	if (o.depth > deepest)
		return "--frames: more than 65536 frames";
	return side_contradiction(o);
}

} // namespace stackprint
