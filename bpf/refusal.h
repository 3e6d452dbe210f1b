// Why the kernel refused a program, in an errno that does not lie and a
// sentence that helps.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/backend.h"

namespace stack9::bpf {

// The capabilities that count here, as a set of bits; it changes when a
// refusal for want of rights may have become wrong.
std::uint64_t rights() noexcept;

// error: what loading or running said.  lacking: the sentence for a kernel
// that does not have what the program needs.
verdict explain(int error, const char *lacking) noexcept;

// What was refused, so that it is not tried in vain: for good, or with the
// rights that there were.
class kept_refusal {
public:
	bool stands() const noexcept;
	verdict answer() const noexcept { return answer_; }
	verdict keep(int error, const char *lacking) noexcept;
	void forget() noexcept { answer_ = {0, nullptr}; }

private:
	verdict		 answer_{0, nullptr};
	std::uint64_t	 rights_ = 0;
};

} // namespace stack9::bpf
