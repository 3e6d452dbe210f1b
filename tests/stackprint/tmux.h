// Runs a command in a real terminal made by tmux.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "child.h"

// A server of its own, with one window.
class tmux {
public:
	tmux(int columns, int rows, const std::string &command)
	    : name_("stack9-top-" + std::to_string(getpid()) + "-" +
	    std::to_string(++servers))
	{
		tell({"-f", "/dev/null", "new-session", "-d", "-x",
		    std::to_string(columns), "-y", std::to_string(rows),
		    command});
	}
	~tmux() { tell({"kill-server"}); }
	tmux(const tmux &) = delete;
	tmux &operator=(const tmux &) = delete;

	std::string
	tell(std::vector<std::string> words) const
	{
		words.insert(words.begin(), {"/usr/bin/tmux", "-L", name_});
		return run(words, {.environment = {"TERM=xterm",
		    "LC_ALL=C.UTF-8", "TMPDIR=/tmp"}}).out;
	}
	std::string
	screen() const
	{
		return tell({"capture-pane", "-p"});
	}
	void
	press(const std::string &key) const
	{
		tell({"send-keys", key});
	}
	void
	resize(int columns, int rows) const
	{
		tell({"resize-window", "-x", std::to_string(columns), "-y",
		    std::to_string(rows)});
	}
	// The screen, as soon as it is as wanted; "": it never was.
	template <class F>
	std::string
	when(F is_wanted) const
	{
		for (int tries = 0; tries < 400; tries++) {
			const std::string now = screen();
			if (is_wanted(now))
				return now;
			usleep(25'000);
		}
		BOOST_TEST_MESSAGE("last screen:\n" << screen());
		return {};
	}
	// The same of a screen that has the text.
	std::string
	until(const std::string &text) const
	{
		return when([&](const std::string &now) {
			return has(now, text);
		});
	}

private:
	// A server that ends would answer to its name for a while.
	static inline int servers = 0;
	const std::string name_;
};
