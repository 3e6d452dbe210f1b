// Makes rows of the table and compares them with the recorded ones.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs.h"
#include "settings.h"

// The surroundings of all rows: made by root, undone by itself.
class scene {
public:
	scene();
	~scene();
	scene(const scene &) = delete;
	scene &operator=(const scene &) = delete;

	const surroundings &operator*() const { return around_; }

private:
	std::string	folder_;
	surroundings	around_;
};

// A row, "[setting]" and a line a job, made by a process of its own.
std::string row_of(const setting &, const surroundings &);

// Checks each row.  With STACK9_RECORD the rows are written to that file
// instead.
void compare_with_record(const std::vector<setting> &);
