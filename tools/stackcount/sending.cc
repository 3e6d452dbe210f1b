// Gives each process its cgroup while it lives, for a container is a resource
// of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sending.h"

#include "tools/lib/cgroups.h"
#include "tools/lib/text.h"
#include "tools/servers/secrets.h"

namespace stackcount {
namespace {

constexpr std::chrono::seconds patience{30};

} // namespace

servers::address
sending::address_of(const events::options &o)
{
	servers::address a;
	servers::read_address(o.to, a);
	return a;
}

sending::sending(const events::options &o, events::screen &s)
    : opt_(o), screen_(s), to_(address_of(o)), delivery_(to_)
{
}

bool
sending::open()
{
	const std::string why = delivery_.open();
	if (!why.empty())
		screen_.message("{}: {}", to_.text(), why);
	else if (const std::string what = servers::exposed_secrets(to_);
	    !what.empty())
		screen_.message("{}: {}", to_.text(), what);
	return why.empty();
}

// If a process has ended, only the options may say where it was.
const std::string &
sending::cgroup_of(pid_t pid)
{
	constexpr std::size_t most = 65536;
	if (cgroups_.size() > most)
		cgroups_.clear();
	const auto [at, is_new] = cgroups_.try_emplace(pid);
	if (is_new)
		at->second = tools::cgroup_of(pid);
	if (is_new && at->second.empty())
		at->second = opt_.cgroup;
	return at->second;
}

void
sending::send(profiles::profile p)
{
	p.began_ns += sent_ns_;
	const std::uint64_t took = p.took_ns;
	p.took_ns -= sent_ns_;
	sent_ns_ = took;
	if (p.stacks.empty())
		return;
	for (profiles::stack &s : p.stacks)
		s.cgroup = s.pid == 0 ? opt_.cgroup : cgroup_of(s.pid);
	p.id = servers::fresh_id();
	delivery_.add(servers::request_of(to_, p));
}

bool
sending::finish()
{
	delivery_.finish(patience);
	const servers::delivery::counts c = delivery_.result();
	const std::size_t lost = c.refused + c.dropped + c.left;
	if (lost != 0)
		screen_.message("{}: {} not sent: {}", to_.text(),
		    tools::amount(lost, "profile") +
		    (lost == 1 ? " was" : " were"), delivery_.complaint());
	else if (!opt_.quiet)
		screen_.message("{} sent to {}",
		    tools::amount(c.sent, "profile"), to_.text());
	return lost == 0;
}

} // namespace stackcount
