// Makes a process whose threads count, to show whether they go on.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>

#include <sys/types.h>

// A process of threads that count: one that is stopped does not.
class counting {
public:
	static constexpr int threads = 4;

	counting();
	~counting();
	counting(const counting &) = delete;
	counting &operator=(const counting &) = delete;

	pid_t pid() const { return pid_; }

	// Waits until each thread has gone on; false after ten seconds.
	bool all_go_on() const;
	std::size_t descriptors() const;
	bool is_traced() const;

private:
	[[noreturn]] void beat(int i);

	std::atomic<unsigned long>	*beats_ = nullptr;
	pid_t				pid_ = -1;
};
