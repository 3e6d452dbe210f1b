// Declares puppets that go far down their stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "puppets.h"

namespace deep {

// Each frame has more bytes than this.
inline constexpr std::size_t bytes = 1024;

// A deed: word[2] frames of more than so many bytes each, and there wait() or,
// if word[3] is not 0, spin().
void down(puppets::strings &);

// Sends it there, and waits until it is there.
void send(puppets &, std::uint64_t frames, bool spins = false,
    std::size_t i = 0);

// The number of its frames that are there.
std::size_t frames_in(answer &);

} // namespace deep
