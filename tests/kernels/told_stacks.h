// Reads stacks that stackprint prints, and compares them with what /proc and
// the programs of the targets say.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "targets.h"

using json = nlohmann::json;

// A line of --json each.
std::vector<json> stackprint(std::vector<std::string> args);
// "name+0xoffset" of the frames, without what follows a slash.
std::vector<std::string> names_of(const json &stack);
bool has_frame(const json &stack, const std::string &part);
// Describes a stack that is there; if there is none, gives its words.
std::string outcome_of(const json &stack, const char *job);
// Every sleeping thread of t has in all the kernel stack that /proc shows.
std::string compare(const std::vector<json> &all, const target &t,
    const char *job);
// A function of the target's in each user stack that is there.
std::string compare_user(const std::vector<json> &all, const target &t,
    const char *job);
// Asks until the thread is met on a CPU, with a stack, or is refused for good.
json while_it_runs(const char *option, const char *side, const target &t,
    const char *job);
