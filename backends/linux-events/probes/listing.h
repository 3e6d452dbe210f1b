// Holds the names of events that could be watched.  Nothing is attached to
// them, so none ever comes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>

#include "core/seam/watch.h"
#include "os/unique_fd.h"

#include "probe.h"

namespace stack9::events {

class listing final : public event_watcher {
public:
	explicit listing(std::vector<probe> &&probes)
	    : probes_(std::move(probes)) {}

	// 0, or an errno.
	int
	begin() noexcept
	{
		never_ = unique_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
		return never_ ? 0 : errno;
	}

	int fd() const noexcept override { return never_.get(); }
	int
	read(int timeout_ms) override
	{
		pollfd end{end_, POLLIN, 0};
		return poll(&end, 1, timeout_ms) < 0 ? errno : EAGAIN;
	}
	void interrupt_by(int fd) noexcept override { end_ = fd; }
	int counts() override { return 0; }
	int stop() override { return 0; }
	int counted(watch_totals &) override { return 0; }
	int
	each_event(stack9_event_fn *fn, void *arg) const override
	{
		for (const probe &p : probes_)
			if (const int error = fn(arg, p.label.c_str());
			    error != 0)
				return error;
		return 0;
	}

private:
	const std::vector<probe> probes_;
	unique_fd		never_;
	int			end_ = -1;
};

} // namespace stack9::events
