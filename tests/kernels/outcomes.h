// Says which route did a job, in a line that tests/kernels/run records.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

struct route_reported {
	std::string	job, name, words;
	int		error;
};

// Prints "@job JOB: OUTCOME".
void tell(const char *job, const std::string &outcome);
// The routes of all jobs, in the order in which they are asked.
std::vector<route_reported> routes();
// "native", or "by" another route than the job's first.
std::string by(const std::string &route, const char *job);
// The route that serves a job whose results name none.
std::string first_that_can(const char *job);
