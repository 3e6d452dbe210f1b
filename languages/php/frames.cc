// Walks the chain of zend_execute_data (Zend/zend_compile.h), and the
// generators in it (Zend/zend_generators.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include "languages/chain.h"

namespace stack9::languages::php {
namespace {

// A chain that is longer is a cycle.
constexpr std::uint32_t most_frames = 1 << 16, most_generators = 1 << 10;

bool
read(unwind::memory &m, std::uint64_t at, frame &to, std::uint64_t &previous)
{
	to.at = at;
	to.waits = false;
	return m.word(at + frame_opline, to.opline) &&
	    m.word(at + frame_function, to.function) &&
	    m.word(at + frame_this, to.object) &&
	    m.read(at + frame_type, &to.type, sizeof to.type) &&
	    m.word(at + frame_previous, previous);
}

bool
is_generator(unwind::memory &m, const places &p, std::uint64_t bias,
    const frame &f)
{
	std::uint64_t its, generators;
	return f.has_object() && p.generator_class.vaddr != 0 &&
	    m.word(f.object + object_class, its) &&
	    m.word(p.generator_class.vaddr + bias, generators) &&
	    its == generators;
}

// A frame without a function whose object is a generator stands for those that
// wait in `yield from`, of which it has the outermost.  Each leads to the one
// that it waits for, and the last of them is the one that runs.
bool
add_waiting(unwind::memory &m, const layout &l, std::uint64_t generator,
    std::vector<frame> &to)
{
	std::vector<frame> waiting;
	std::uint64_t inner, at, unused;
	frame f;
	chain c(most_generators);
	for (; c.goes_on(generator); generator = inner) {
		if (!m.word(generator + l.generator_node, inner))
			return false;
		if (inner == 0)
			break;
		if (!m.word(generator + l.generator_frame, at) || at == 0 ||
		    !read(m, at, f, unused))
			return false;
		f.waits = true;
		waiting.push_back(f);
	}
	to.insert(to.end(), waiting.rbegin(), waiting.rend());
	return !c.is_broken();
}

} // namespace

bool
read_frames(unwind::memory &m, const layout &l, const places &p,
    std::uint64_t bias, std::uint64_t globals, std::vector<frame> &to)
{
	std::uint64_t at;
	frame f;
	if (!m.word(globals + l.current_execute_data, at))
		return false;
	chain c(most_frames);
	for (std::uint64_t previous; c.goes_on(at); at = previous) {
		if (!read(m, at, f, previous))
			return false;
		if (f.function != 0)
			to.push_back(f);
		else if (is_generator(m, p, bias, f) &&
		    !add_waiting(m, l, f.object, to))
			return false;
	}
	return !c.is_broken();
}

} // namespace stack9::languages::php
