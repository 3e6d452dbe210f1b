// Owns one thread's asynchronous capture from its submission until it is
// released.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <utility>

#include <stack9_async.h>

#include "tools/lib/rights.h"
#include "tools/lib/stacks.h"

namespace stackprint {

// Owns a capture and releases it in time.
class unique_capture {
public:
	unique_capture() = default;
	explicit unique_capture(stack9_id id) : id_(id) {}
	unique_capture(unique_capture &&from) noexcept
	    : id_(std::exchange(from.id_, 0)) {}
	unique_capture &
	operator=(unique_capture &&from) noexcept
	{
		std::swap(id_, from.id_);
		return *this;
	}
	~unique_capture()
	{
		if (id_ != 0)
			stack9_release(id_);
	}

	stack9_id
	id() const	// 0: there is none
	{
		return id_;
	}

private:
	stack9_id	id_ = 0;
};

struct submission {
	stack9_thread		thread{};
	unique_capture		handle;
	int			error = 0;	// why there is none
	// The space of the process, opened before the wait: the process may end
	// meanwhile.
	unique_space		space;
	// With borrowed rights: the thread that was asked about, and the answer
	// if it was not 0.
	std::unique_ptr<gate>	asked;
	int			withheld = 0;
};

} // namespace stackprint
