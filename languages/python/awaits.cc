// Reads the frames of coroutines that have stopped (Objects/genobject.c): the
// last word of a frame's stack is what it awaits.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "awaits.h"

#include <array>

#include "languages/chain.h"

namespace stack9::languages::python {
namespace {

constexpr std::uint32_t most_awaits = 4096;
constexpr std::uint64_t tags = 3;	// of a reference on a stack

enum class kind { coroutine, wrapper, future, other };

kind
kind_of(types &t, std::uint64_t object)
{
	static constexpr std::string_view coroutines[] = {"coroutine",
	    "generator", "async_generator"};
	static constexpr std::string_view wrappers[] = {"coroutine_wrapper",
	    "async_generator_asend", "async_generator_athrow",
	    "anext_awaitable"};
	const std::string &name = t.of(object);
	for (const std::string_view one : coroutines)
		if (name == one)
			return kind::coroutine;
	for (const std::string_view one : wrappers)
		if (name == one)
			return kind::wrapper;
	return name == "_asyncio.FutureIter" ? kind::future : kind::other;
}

class await_reading {
public:
	await_reading(memory &m, const layout &l, const task_layout &t,
	    types &k) noexcept : m_(m), l_(l), t_(t), types_(k) {}

	awaits run(std::uint64_t object);

private:
	enum class stop { created, stopped, runs, ended };

	stop stop_of(std::uint64_t coroutine, std::uint64_t &frame);
	stop stop_3_9(std::uint64_t coroutine, std::uint64_t frame);
	bool add(std::uint64_t frame, awaits &);
	bool is_awaiting(std::uint64_t coroutine, const stopped_frame &);
	bool last_of_stack(std::uint64_t frame, std::uint64_t &object);
	awaits::state state_of(std::uint64_t future);

	memory			&m_;
	const layout		&l_;
	const task_layout	&t_;
	types			&types_;
};

// The byte of 3.9 says whether it runs; a position before the first instruction
// that it has not begun.
await_reading::stop
await_reading::stop_3_9(std::uint64_t coroutine, std::uint64_t frame)
{
	std::int8_t runs;
	std::int32_t last;
	if (!m_.read(coroutine + t_.frame_state, &runs, sizeof runs) ||
	    !m_.read(frame + l_.position, &last, sizeof last))
		return stop::ended;
	return runs != 0 ? stop::runs : last < 0 ? stop::created :
	    stop::stopped;
}

await_reading::stop
await_reading::stop_of(std::uint64_t coroutine, std::uint64_t &frame)
{
	std::int8_t state;
	frame = coroutine + t_.frame;
	if (l_.minor <= 10 && (!m_.word(frame, frame) || frame == 0))
		return stop::ended;
	if (l_.minor == 9)
		return stop_3_9(coroutine, frame);
	if (!m_.read((l_.minor == 10 ? frame : coroutine) + t_.frame_state,
	    &state, sizeof state))
		return stop::ended;
	return state == t_.created ? stop::created : state == 0 ? stop::runs :
	    state > 0 || state < t_.created ? stop::ended : stop::stopped;
}

bool
await_reading::add(std::uint64_t frame, awaits &to)
{
	stopped_frame f{};
	std::int32_t number = 0;
	if (!m_.word(frame + l_.code, f.code))
		return false;
	f.code &= ~tags;
	if (l_.minor > 10)
		m_.word(frame + l_.position, f.position);
	else if (m_.read(frame + l_.position, &number, sizeof number))
		f.position = static_cast<std::uint32_t>(number);
	to.frames.push_back(f);
	return true;
}

// Returns true if a frame that has stopped has done so to await.  A generator
// may also have given a value to whoever runs it: its stack is then not one of
// awaits.  Up to 3.10 the instruction that awaits is the next one; up to 3.12
// the next one says what it resumes; and later the state says it.
bool
await_reading::is_awaiting(std::uint64_t coroutine, const stopped_frame &f)
{
	constexpr std::uint64_t code = 48, bytes = 32;
	constexpr std::uint8_t yield_from = 72, resumes_await = 2;
	std::array<std::uint8_t, 2> unit;
	std::uint64_t at = f.position + 2;
	std::int8_t state;
	if (l_.minor > 12)
		return m_.read(coroutine + t_.frame_state, &state,
		    sizeof state) && state == -1;
	if (l_.minor <= 10) {
		if (!m_.word(f.code + code, at))
			return false;
		at += bytes + 2 + f.position * (l_.minor == 10 ? 2 : 1);
	}
	return m_.read(at, unit.data(), unit.size()) &&
	    (l_.minor <= 10 ? unit[0] == yield_from :
	    (unit[1] & 3) >= resumes_await);
}

bool
await_reading::last_of_stack(std::uint64_t frame, std::uint64_t &object)
{
	std::int32_t count;
	std::uint64_t end = frame + t_.stack;
	if (l_.minor == 9 || l_.minor > 13) {
		if (!m_.word(frame + t_.stack_end, end))
			return false;
	} else {
		if (!m_.read(frame + t_.stack_end, &count, sizeof count) ||
		    count <= 0 || (l_.minor == 10 && !m_.word(end, end)))
			return false;
		end += 8 * static_cast<std::uint64_t>(count);
	}
	if (!m_.word(end - 8, object))
		return false;
	object &= ~tags;
	return true;
}

awaits::state
await_reading::state_of(std::uint64_t future)
{
	std::uint32_t done;
	return m_.read(future + t_.future_state, &done, sizeof done) &&
	    done == 0 ? awaits::state::waits : awaits::state::ready;
}

awaits
await_reading::run(std::uint64_t object)
{
	awaits to;
	std::uint64_t frame;
	for (chain all(most_awaits); all.goes_on(object);) {
		const kind k = kind_of(types_, object);
		if (k == kind::wrapper || k == kind::future) {
			if (!m_.word(object + header_of(l_), object))
				break;
			if (k == kind::wrapper)
				continue;
			to.future = object;
			to.how = state_of(object);
			break;
		}
		if (k != kind::coroutine)
			break;
		const stop s = stop_of(object, frame);
		if (s == stop::runs)
			return {awaits::state::runs, {}, 0};
		if (s == stop::ended || !add(frame, to))
			break;
		to.how = awaits::state::ready;
		if (s == stop::created ||
		    !is_awaiting(object, to.frames.back()) ||
		    !last_of_stack(frame, object))
			break;
	}
	return to;
}

} // namespace

awaits
read_awaits(memory &m, const layout &l, const task_layout &t, types &k,
    std::uint64_t coroutine)
{
	return await_reading(m, l, t, k).run(coroutine);
}

} // namespace stack9::languages::python
