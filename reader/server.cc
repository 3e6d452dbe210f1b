// Answers questions about files and copied stacks, in a process without rights.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "server.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <unistd.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "core/seam/reader.h"
#include "core/seam/symbols.h"
#include "process/space.h"

#include "describe.h"
#include "known_spaces.h"
#include "requests.h"
#include "shared_buffer.h"
#include "walk_message.h"

namespace stack9::sandbox {
namespace {

using budgets::left_out_kinds;

class server {
public:
	server(channel c, std::byte *shared) noexcept
	    : channel_(std::move(c)), requests_(channel_), shared_(shared)
	{
		the_outside.store(&requests_);
	}

	// False: the other side is gone.
	bool run_one() noexcept;

private:
	void answer();
	void take_note();
	stack9_space &
	complete(std::uint64_t number, stack9_space &space)
	{
		return spaces_.complete(number, space, requests_);
	}
	bool take_copy();
	void walk(stack9_space &);
	void walk_many();
	void walk_shared(std::byte *at, std::uint32_t number,
	    std::uint32_t room);
	void add_written(std::byte *at, stack9_space &, const walk_question &,
	    stack_record &, std::uint32_t room);
	void describe_all(stack9_space &);
	void run_task();

	channel		channel_;
	requests	requests_;
	message		in_, out_;
	unique_fd	fd_;		// came with in_
	known_spaces	spaces_;
	std::byte	*const shared_;
	user_copy	copy_;
	written_stack	written_;
	message		out_written_;
	std::vector<std::uintptr_t> pcs_;
	std::size_t	reported_ = 0;	// notes of files
};

// False: the other side is gone, or there is no memory.
bool
server::take_copy()
{
	copy_.what = in_.get<user_copy::machine>();
	copy_.value = in_.get<decltype(copy_.value)>();
	copy_.known = in_.get<std::uint64_t>();
	for (copied_piece *const piece : copy_.pieces()) {
		piece->at = in_.get<std::uint64_t>();
		piece->more = in_.get<bool>();
		if (!piece->bytes.resize(in_.get<std::uint64_t>()))
			return false;
	}
	for (copied_piece *const piece : copy_.pieces())
		if (!channel_.receive_bytes(piece->bytes.data(),
		    piece->bytes.size()))
			return false;
	return true;
}

void
server::walk(stack9_space &space)
{
	stack_record rec{};
	std::uint64_t wanted = 0;
	rec.thread = in_.get<stack9_thread>();
	rec.flags = in_.get<std::uint32_t>();
	rec.max = in_.get<std::uint32_t>();
	pcs_.resize(rec.max);
	rec.pcs = pcs_.data();
	const space_walk how = walk_copy(space, copy_, rec, wanted);
	put_walk(rec, how, wanted, out_);
}

// The asker knows which half it is and how it is laid out.
void
server::walk_many()
{
	shared_buffer half(shared_ + in_.get<std::uint32_t>() *
	    shared_buffer::size);
	const auto n = in_.get<std::uint32_t>();
	for (std::uint32_t i = 0; i < n; i++) {
		const auto bytes = in_.get<std::uint64_t>();
		const auto max = in_.get<std::uint32_t>();
		const auto written = in_.get<std::uint32_t>();
		if (std::byte *const at = half.next(bytes, max, written))
			walk_shared(at, i, written);
		half.set_done(i + 1);
	}
}

void
server::walk_shared(std::byte *at, std::uint32_t number, std::uint32_t room)
{
	walk_question q;
	stack_record rec{};
	space_walk how = space_walk::done;
	std::uint64_t wanted = 0;
	if (!take_question(at, q, copy_))
		throw std::bad_alloc();
	rec.thread = q.thread;
	rec.flags = q.flags;
	rec.max = q.max;
	rec.pcs = frames_of(at);
	stack9_space *const of = spaces_.find(q.space);
	if (of != nullptr) {
		requests_.begin_walk(number, of->thread());
		how = walk_copy(complete(q.space, *of), copy_, rec, wanted);
	} else {
		rec.why = STACK9_WHY_RESOURCE;
	}
	put_answer(at, rec, how, wanted);
	if (of != nullptr && room != 0 && how == space_walk::done)
		add_written(at, *of, q, rec, room);
}

// The memory is read again: a walk of before may be of another moment.  The
// native frames of the answer stay as they are.
void
server::add_written(std::byte *at, stack9_space &of, const walk_question &q,
    stack_record &rec, std::uint32_t room)
{
	pcs_.resize(rec.max);
	std::copy_n(rec.pcs, rec.depth, pcs_.begin());
	const std::uint32_t depth = rec.depth;
	rec.pcs = pcs_.data();
	requests_.forget();
	put_written(of, copy_, {.thread_pointer = q.thread_pointer,
	    .moment = q.moment}, rec, written_, out_written_.begin(
	    kind::answer));
	const std::vector<std::byte> &bytes = out_written_.bytes();
	if (bytes.size() <= room)
		put_written(at, depth, bytes);
}

void
server::describe_all(stack9_space &space)
{
	const bool with_name = in_.get<bool>(), with_lines = in_.get<bool>();
	const auto flags = in_.get<std::uint32_t>();
	for (auto n = in_.get<std::uint32_t>(); n > 0 &&
	    out_.bytes().size() < answer_full / 2; n--) {
		const auto pc = in_.get<std::uint64_t>();
		const bool return_address = in_.get<bool>();
		out_.put(true);
		put_description(space, pc, return_address, with_name, out_);
		if (!with_lines)
			out_.put(false);
		else
			put_lines(space, pc, flags | (return_address ?
			    name_return_address : 0), out_);
	}
	out_.put(false);
}

void
server::run_task()
{
	auto *const task = in_.get<file_task *>();
	std::string answer;
	task(std::move(fd_), in_.get_text(), answer);
	out_.put_text(answer);
}

void
server::answer()
{
	budgets::factor.store(in_.get<float>(), std::memory_order_relaxed);
	const auto number = in_.get<std::uint64_t>();
	stack9_space *const of = spaces_.find(number);
	if (in_.what == kind::demangle)
		return put_readable(in_, out_);
	if (in_.what == kind::walks)
		return walk_many();
	if (in_.what == kind::run)
		return run_task();
	if (of == nullptr)
		return;
	stack9_space &space = *of;
	requests_.begin(space.thread());
	switch (in_.what) {
	case kind::walk:
		return walk(complete(number, space));
	case kind::written:
		return put_written(complete(number, space), copy_, in_,
		    written_, out_);
	case kind::tasks:
		return put_tasks(complete(number, space), out_);
	case kind::rules:
	case kind::code_rules:
		return put_rules(space, in_, out_);
	case kind::describe:
		return describe_all(space);
	case kind::lines:
		return put_lines(space, in_, out_);
	default:
		return;
	}
}

void
server::take_note()
{
	if (in_.what == kind::file)
		return spaces_.take_file(in_, std::move(fd_));
	spaces_.take_space(in_);
	requests_.forget_absent();
}

// An answer that is not whole is none.
bool
server::run_one() noexcept
{
	if (!requests_.take_next(in_, fd_) &&
	    !channel_.receive(in_, fd_, question_max))
		return false;
	if (in_.what == kind::copy)
		return take_copy();
	const bool is_note = in_.what == kind::file || in_.what == kind::space;
	try {
		out_.begin(kind::answer);
		if (is_note) {
			take_note();
		} else {
			std::uint64_t counts[std::size(left_out_kinds)]{};
			out_.put(counts);
			answer();
			std::ranges::copy(budgets::left_out_counts, counts);
			std::memcpy(out_.bytes().data(), counts, sizeof counts);
			put_notes(out_, sizeof counts, reported_);
		}
	} catch (const std::bad_alloc &) {
		out_.begin(kind::answer);
	}
	return is_note || channel_.send(out_);
}

} // namespace

// The process gives nothing back piece by piece, because its end is awaited.
void
serve(channel c, std::byte *shared) noexcept
{
	for (server s(std::move(c), shared); s.run_one();)
		;
	_exit(0);
}

} // namespace stack9::sandbox
