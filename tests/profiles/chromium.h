// Runs a browser that opens a graph and does as a script says.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

// text: a graph (name: graph.svg or graph.html), in which script runs after its
// own.  Returns what script gave to say(), a line each.  Fails if the browser
// hangs.  The script can use at(name), the first frame of that name, see(name),
// what there is of it to see, click(element), press(key, more), type(text).
std::string browsed(const std::string &name, const std::string &text,
    const std::string &script);

// The same of a page of HTML; script may await.
std::string browsed_page(const std::string &text, const std::string &script);
