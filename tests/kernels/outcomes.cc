// Asks the library for its routes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "outcomes.h"

#include <cstdio>

#include <stack9.h>

void
tell(const char *job, const std::string &outcome)
{
	std::printf("@job %s: %s\n", job, outcome.c_str());
	std::fflush(stdout);
}

std::vector<route_reported>
routes()
{
	std::vector<route_reported> all;
	stack9_routes([](void *to, const char *job, const char *name,
	    int error, const char *words) {
		static_cast<std::vector<route_reported> *>(to)->push_back({job,
		    name, words, error});
		return 0;
	}, &all);
	return all;
}

std::string
by(const std::string &route, const char *job)
{
	for (const route_reported &r : routes())
		if (r.job == job)
			return r.name == route ? "native" : "by " + route;
	return "by " + route;
}

std::string
first_that_can(const char *job)
{
	for (const route_reported &r : routes())
		if (r.job == job && r.error == 0)
			return by(r.name, job);
	for (const route_reported &r : routes())
		if (r.job == job)
			return "refused: " + r.words;
	return "refused";
}
