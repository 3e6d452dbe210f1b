// Runs a part of the report in a process of its own.  That shares this memory
// and is killed at a deadline.  A part that crashes or blocks ends alone.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "backends/ptrace/tracer_process.h"

namespace stack9::crash {

using tracing::arena, tracing::millisecond, tracing::work;

// The end of the report, whatever happens.
class deadline {
public:
	explicit deadline(std::uint64_t ns) noexcept
	    : end_(tracing::now() + ns) {}

	// At most ns, and at least a little.
	std::uint64_t
	at_most(std::uint64_t ns) const noexcept
	{
		const std::uint64_t t = tracing::now();
		const std::uint64_t left = end_ > t ? end_ - t : 0;
		return left < ns ? left + millisecond : ns;
	}
	bool passed() const noexcept { return tracing::now() >= end_; }

private:
	const std::uint64_t	end_;
};

// Runs the work.  If no process can be made, it runs in this thread: better a
// report that may fail than none.
inline tracing::run_end
run_part(work &what, arena &memory, std::uint64_t life) noexcept
{
	class here final : public tracing::tracer {
	public:
		bool may_live(std::uint64_t) noexcept override { return true; }
		void wait(std::uint64_t) noexcept override {}
	};
	const tracing::run_end end = memory.is_there() ?
	    run_as_process(what, memory, life) : tracing::run_end::never;
	if (end != tracing::run_end::never)
		return end;
	here self;
	what.run(self);
	return tracing::run_end::done;
}

} // namespace stack9::crash
