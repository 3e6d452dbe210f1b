// Says which threads and stacks of a segment are asked for, and remembers it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "expression.h"
#include "options.h"
#include "tools/record/segment.h"

namespace stackreport {

class wanted {
public:
	explicit wanted(const options &);

	// Another segment begins.
	void	begin();
	// A thread has another name now.
	void	forget(std::uint32_t thread);

	bool	thread(const recording::segment &, std::uint32_t);
	bool	state(const recording::segment &,
		    const recording::thread_state &);
	bool	stacks(const recording::segment &, std::uint32_t kernel,
		    std::uint32_t user);
	bool	event(const recording::segment &, std::uint32_t);

private:
	enum class known : std::uint8_t { not_yet, no, yes };

	bool	ask(const recording::segment &, std::uint32_t thread) const;
	bool	waits(const recording::segment &,
		    const recording::thread_state &);
	bool	matches(const recording::segment &, std::uint32_t stack);
	bool	ask_stack(const recording::segment &, std::uint32_t stack);

	const options		&opt_;
	const expression	 stack_;
	std::vector<known>	 threads_, stacks_, frames_, waits_,
				 events_;
};

} // namespace stackreport
