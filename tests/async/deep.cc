// Makes puppets go far down their stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "deep.h"

#include <algorithm>

namespace {

[[gnu::noinline]] void
step_down(puppets::strings &mine, std::uint64_t frames)
{
	volatile char room[deep::bytes];
	room[0] = static_cast<char>(frames);
	if (frames > 1)
		step_down(mine, frames - 1);
	else if (mine.word[3] != 0)
		puppets::spin(mine);
	else
		puppets::wait(mine);
	asm volatile("" :: "r"(room) : "memory");
}

} // namespace

[[gnu::noinline]] void
deep::down(puppets::strings &mine)
{
	step_down(mine, mine.word[2]);
	mine.word[2] = 0;
}

void
deep::send(puppets &p, std::uint64_t frames, bool spins, std::size_t i)
{
	p.word(2, i) = frames;
	p.word(3, i) = spins;
	if (spins)
		p.run(down, i);
	else
		p.sleep_in(down, i);
}

std::size_t
deep::frames_in(answer &a)
{
	const auto names = a.user.names();
	return static_cast<std::size_t>(std::count_if(names.begin(),
	    names.end(), [](const std::string &name) {
		    return name.find("step_down") != std::string::npos;
	    }));
}
