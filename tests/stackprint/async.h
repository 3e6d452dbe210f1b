// Runs stackprint --async against the fake threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "child.h"
#include "fake.h"

inline const char *const forever = "--async=3600";	// no test waits so long
inline const char *const briefly = "--async=0.01";

inline said
async(const char *wait, std::vector<pid_t> tids,
    std::vector<std::string> more = {}, const std::string &words = "")
{
	more.insert(more.begin(), wait);
	for (const pid_t t : tids)
		more.push_back(std::to_string(t));
	return stackprint(more, words);
}

inline nlohmann::json
first_object(const said &s)
{
	return nlohmann::json::parse(s.out.substr(0, s.out.find('\n')));
}
