// Owns one thread's asynchronous capture from its submission until it is
// released.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <utility>

#include <stack9_async.h>

#include "ours.h"
#include "tools/lib/rights.h"
#include "tools/lib/samples.h"

namespace stackprint {

struct stream_closer {
	void operator()(stack9_async *s) const { stack9_async_close(s); }
};
using unique_stream = std::unique_ptr<stack9_async, stream_closer>;

// Owns a capture of a stream and releases it in time.
class unique_capture {
public:
	unique_capture() = default;
	unique_capture(stack9_async *of, stack9_id id) : of_(of), id_(id) {}
	unique_capture(unique_capture &&from) noexcept
	    : of_(from.of_), id_(std::exchange(from.id_, 0)) {}
	unique_capture &
	operator=(unique_capture &&from) noexcept
	{
		std::swap(of_, from.of_);
		std::swap(id_, from.id_);
		return *this;
	}
	~unique_capture()
	{
		if (id_ != 0)
			stack9_async_release(of_, id_);
	}

	stack9_id
	id() const	// 0: there is none
	{
		return id_;
	}

private:
	stack9_async	*of_ = nullptr;
	stack9_id	 id_ = 0;
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
