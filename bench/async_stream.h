// Declares the threads and the stream of the benchmark of asynchronous
// captures.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9_async.h>
#include <sys/types.h>

// One thread of another process, its space kept.
struct subject {
	stack9_thread	 td{};
	stack9_space	*space = nullptr;

	explicit subject(pid_t tid)
	{
		if (stack9_thread_find(tid, &td) == 0)
			stack9_space_open(&td, &space);
	}
	subject(const subject &) = delete;
	~subject() { stack9_space_close(space); }
};

// The stream of all submissions here, with its descriptor.
struct submissions {
	stack9_async	*stream = nullptr;
	int		 fd = -1;
	int		 error;

	submissions() : error(stack9_async_open(&stream))
	{
		if (error == 0)
			error = stack9_async_fd(stream, &fd);
	}
	submissions(const submissions &) = delete;
	~submissions() { stack9_async_close(stream); }
};
