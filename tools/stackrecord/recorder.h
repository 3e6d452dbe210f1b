// Records tick by tick into the files of a ring.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "capture.h"
#include "events.h"
#include "options.h"
#include "progress.h"
#include "storage.h"
#include "targets.h"

namespace stackrecord {

class recorder {
public:
	explicit recorder(const options &);

	int	open();
	int	go_on();
	void	close();

private:
	bool	watch();
	bool	find();
	int	tick(std::uint64_t now);
	int	finish(int status);
	int	status_of_end() const;
	bool	wait(std::uint64_t &next);
	bool	wait_until(std::uint64_t next);
	void	expect(bool restart);
	void	describe(recording::segment_info &) const;

	const options		&opt_;
	targets			 targets_;
	capture			 capture_;
	events			 events_;
	recording::tick		 tick_;		// to come
	bool			 restart_ = true;
	std::int64_t		 wall_minus_boot_ = 0;
	storage			 storage_;
	progress		 progress_;
	const std::uint64_t	 period_;
	int			 interrupted_ = -1;
};

} // namespace stackrecord
