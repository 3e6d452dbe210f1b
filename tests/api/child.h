// Starts children of the tests, and waits until they sleep.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <stack9.h>

namespace api {

// A forked child that runs body(fd) and waits for bytes from fd.  It is killed
// and reaped when this ends.
class child {
public:
	explicit child(const std::function<void(int fd)> &body);
	child(const child &) = delete;
	child &operator=(const child &) = delete;
	~child();

	pid_t pid() const { return pid_; }
	stack9_thread thread() const;
	void send() const;		// one byte
	void wait_for_sleep() const;	// until /proc says S, and no CPU has it
	void end();			// kills and reaps it

private:
	pid_t	pid_;
	int	to_;
};

// Closes itself.
struct closer {
	void operator()(stack9_sample *s) const { stack9_sample_close(s); }
	void operator()(stack9_space *s) const { stack9_space_close(s); }
};
using sample = std::unique_ptr<stack9_sample, closer>;
using space = std::unique_ptr<stack9_space, closer>;

// Requires that stack9_save() succeeds.
sample save(const stack9_thread &, int side,
    const stack9_save_options * = nullptr);

// The names of all frames, "" for one without.
std::vector<std::string> names_of(const stack9_stack *,
    unsigned int flags = 0);
bool has(const std::vector<std::string> &names, const std::string &name);

// Waits in read(2) for a byte, in a function with this name.
void child_waits(int fd);

} // namespace api
