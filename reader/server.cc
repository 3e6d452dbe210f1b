// Answers questions about files and copied stacks, in a process without rights.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "server.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "core/seam/reader.h"
#include "core/seam/symbols.h"
#include "process/files.h"
#include "process/memory_image.h"
#include "process/space.h"

#include "describe.h"
#include "mapping_message.h"
#include "shared_buffer.h"
#include "walk_message.h"

namespace stack9::sandbox {
namespace {

using budgets::left_out_kinds;
using process::file, process::mapping;

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
	void take_file();
	void take_space();
	stack9_space &complete(std::uint64_t number, stack9_space &);
	bool take_copy();
	void walk(stack9_space &);
	void walk_many();
	void walk_shared(std::byte *at, std::uint32_t number);
	void describe_all(stack9_space &);
	void run_task();

	channel		channel_;
	requests	requests_;
	message		in_, out_;
	unique_fd	fd_;		// came with in_
	std::map<std::uint32_t, std::shared_ptr<file>> files_;
	std::map<std::uint64_t, std::unique_ptr<stack9_space>> spaces_;
	std::set<std::uint64_t>	incomplete_;	// of them
	std::byte	*const shared_;
	user_copy	copy_;
	written_stack	written_;
	std::vector<std::uintptr_t> pcs_;
	std::size_t	reported_ = 0;	// notes of files
};

// An image comes with its bytes, any other file with its descriptor.
void
server::take_file()
{
	const auto number = in_.get<std::uint32_t>();
	const std::string path(in_.get_text());
	const auto opened = in_.get<process::file_state>();
	const auto image = in_.get_bytes(in_.get<std::uint32_t>());
	auto &to = files_[number];
	if (!image.empty())
		to = process::file_of({image.begin(), image.end()}, path);
	else if (fd_)
		to = process::file_of(std::move(fd_), path, opened);
	else
		leave_out(budgets::left_out::descriptors);
}

void
server::take_space()
{
	for (auto n = in_.get<std::uint32_t>(); n > 0; n--)
		spaces_.erase(in_.get<std::uint64_t>());
	for (auto n = in_.get<std::uint32_t>(); n > 0; n--)
		files_.erase(in_.get<std::uint32_t>());
	const auto number = in_.get<std::uint64_t>();
	auto made = std::make_unique<stack9_space>(in_.get<stack9_thread>());
	std::vector<mapping> all;
	for (auto n = in_.get<std::uint32_t>(); n > 0; n--) {
		std::uint32_t file;
		all.push_back(take_mapping(in_, file));
		if (const auto at = files_.find(file); at != files_.end())
			all.back().backing = at->second;
	}
	if (std::any_of(all.begin(), all.end(), process::lacks_image))
		incomplete_.insert(number);
	made->take_snapshot(std::move(all));
	requests_.forget_absent();
	spaces_[number] = std::move(made);
}

// Memory can be asked for only while a stack of the process is walked.
stack9_space &
server::complete(std::uint64_t number, stack9_space &space)
{
	if (incomplete_.erase(number) != 0)
		process::make_images(space, [this](auto... what) {
			return requests_.read_memory(what...);
		});
	return space;
}

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
		if (std::byte *const at = half.next(bytes, max))
			walk_shared(at, i);
		half.set_done(i + 1);
	}
}

void
server::walk_shared(std::byte *at, std::uint32_t number)
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
	if (const auto of = spaces_.find(q.space); of != spaces_.end()) {
		requests_.begin_walk(number, of->second->thread());
		how = walk_copy(complete(q.space, *of->second), copy_, rec,
		    wanted);
	} else {
		rec.why = STACK9_WHY_RESOURCE;
	}
	put_answer(at, rec, how, wanted);
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
	const auto at = spaces_.find(in_.get<std::uint64_t>());
	if (in_.what == kind::demangle)
		return put_readable(in_, out_);
	if (in_.what == kind::walks)
		return walk_many();
	if (in_.what == kind::run)
		return run_task();
	if (at == spaces_.end())
		return;
	stack9_space &space = *at->second;
	requests_.begin(space.thread());
	switch (in_.what) {
	case kind::walk:
		return walk(complete(at->first, space));
	case kind::written:
		return put_written(complete(at->first, space), copy_, in_,
		    written_, out_);
	case kind::tasks:
		return put_tasks(complete(at->first, space), out_);
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
			in_.what == kind::file ? take_file() : take_space();
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
