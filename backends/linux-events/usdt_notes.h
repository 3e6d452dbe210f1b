// Finds the probes that programs declare in the notes of their files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "points.h"

namespace stack9::events {

struct event_text;
class elf_image;

// As find_points().  Each place of a probe has a point; they share one label.
int find_probes(const event_text &, bool regex, pid_t pid,
    std::vector<point> &, std::string &why);

bool has_probe(const elf_image &, const std::string &name);

} // namespace stack9::events
