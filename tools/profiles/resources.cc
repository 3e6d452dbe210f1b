// Reads the paths of cgroups.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "resources.h"

#include <tuple>

#include "tools/lib/cgroups.h"

namespace profiles {
namespace {

constexpr std::size_t short_id = 12;	// as docker ps prints it

resource
resource_of(const std::string &cgroup, const std::string &host)
{
	resource r;
	r.container = tools::container_in(cgroup);
	r.service = !r.container.empty() ? r.container.substr(0, short_id) :
	    tools::unit_in(cgroup);
	if (r.service.empty())
		r.service = host.empty() ? "unknown_service" : host;
	else
		r.cgroup = cgroup;
	return r;
}

} // namespace

std::vector<resource>
resources_of(const profile &p)
{
	std::map<std::tuple<std::string, std::string>, resource> all;
	for (const stack &s : p.stacks) {
		resource r = resource_of(s.cgroup, p.host);
		const auto key = std::make_tuple(r.service, r.container);
		all.try_emplace(key, std::move(r)).first->second.stacks.
		    push_back(&s);
	}
	std::vector<resource> list;
	for (auto &[key, r] : all)
		list.push_back(std::move(r));
	return list;
}

} // namespace profiles
