// Reads the text form of a stack into a sample, whose places a space without a
// process names.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "core/arguments.h"
#include "core/seam/space.h"

#include "places.h"
#include "sample.h"
#include "text_parts.h"

namespace stack9 {
namespace {

class text_reader {
public:
	text_reader(stack9_space &space, std::string_view text) noexcept
	    : space_(space), whole_(text), rest_(text) {}

	// 0; ENOENT; ENOSPC.  Throws wrong and std::bad_alloc.
	int read();
	stack9_sample *keep();
	int line() const noexcept { return line_; }
	std::size_t
	used() const noexcept
	{
		return whole_.size() - rest_.size();
	}

private:
	struct side {
		stack9_stack			stack{};
		std::vector<std::uint64_t>	pcs;
		std::vector<std::unique_ptr<std::string>> names;
		std::vector<const char *>	text;
		bool				begun = false, ended = false;
	};

	bool next(std::string_view &);
	bool begins_next() const noexcept;
	int take(std::string_view line);
	void begin(side &, int of);
	int add(std::string_view first, std::string_view rest);
	void end(bool none, std::string_view rest);
	void thread(std::string_view rest);
	void finish(side &);

	stack9_space		&space_;
	const std::string_view	whole_;
	std::string_view	rest_;
	int			line_ = 0;
	lent_sample		lent_;
	std::string		comm_, event_;
	side			kernel_, user_, *now_ = nullptr;
};

bool
text_reader::next(std::string_view &line)
{
	if (rest_.empty())
		return false;
	line_++;
	const std::size_t n = rest_.find('\n');
	line = rest_.substr(0, n);
	if (line.size() > most_text_line)
		throw wrong{"it has more than 8192 bytes"};
	rest_.remove_prefix(n == rest_.npos ? rest_.size() : n + 1);
	return true;
}

bool
text_reader::begins_next() const noexcept
{
	return rest_.starts_with(text_head) && (rest_.size() ==
	    text_head.size() || rest_[text_head.size()] == '\n');
}

int
text_reader::read()
{
	std::string_view line;
	lent_.sample() = {};
	lent_.sample().state = '?';
	lent_.sample().cpu = -1;
	do {
		if (!next(line))
			return ENOENT;
	} while (line.empty() || line[0] == '#');
	if (line != text_head)
		throw wrong{"a stack begins with the line \"stack9 1\""};
	while (!begins_next() && next(line))
		if (!line.empty() && line[0] != '#')
			if (const int error = take(line); error != 0)
				return error;
	if (now_ == nullptr)
		throw wrong{"the stack has no side"};
	if (!now_->ended)
		throw wrong{"the side has no line \"end\" or \"none\""};
	return 0;
}

int
text_reader::take(std::string_view line)
{
	std::string_view rest = line;
	const std::string_view first = take_word(rest);
	stack9_sample &s = lent_.sample();
	if (first == "p" || first == "x" || first == "n")
		return add(first, rest);
	if (first == "end" || first == "none")
		end(first == "none", rest);
	else if (first == "kernel" && rest.empty())
		begin(kernel_, STACK9_KERNEL);
	else if (first == "user" && rest.empty())
		begin(user_, STACK9_USER);
	else if (now_ != nullptr)
		throw wrong{"its first word is none of a side"};
	else if (first == "thread")
		thread(rest);
	else if (first == "when")
		s.when_ns = number<std::uint64_t>(rest);
	else if (first == "event") {
		event_ = raw(rest);
		s.event = event_.c_str();
		s.kind = STACK9_SAMPLE_EVENT;
		s.events = 1;
	} else if (first == "count") {
		s.events = number<std::uint64_t>(rest);
		s.kind = STACK9_SAMPLE_COUNT;
	} else
		throw wrong{"its first word is not known"};
	return 0;
}

void
text_reader::thread(std::string_view rest)
{
	stack9_sample &s = lent_.sample();
	s.thread.tid = number<pid_t>(take_word(rest));
	s.thread.pid = number<pid_t>(take_word(rest));
	s.thread.start = number<std::uint64_t>(take_word(rest));
	const std::string_view state = take_word(rest);
	if (state.size() != 1 || s.thread.tid < 0 || s.thread.pid < 0)
		throw wrong{"thread has no tid, pid, start, state and name"};
	s.state = state[0];
	comm_ = raw(rest);
}

void
text_reader::begin(side &of, int which)
{
	if (of.begun || (now_ != nullptr && !now_->ended))
		throw wrong{"a side begins twice, or within the other one"};
	of.begun = true;
	of.stack.side = which;
	now_ = &of;
}

int
text_reader::add(std::string_view first, std::string_view rest)
{
	if (now_ == nullptr || now_->ended)
		throw wrong{"a frame is outside the sides"};
	if (now_->pcs.size() >= most_text_frames)
		throw wrong{"the side has more than 65536 frames"};
	if (first == "n") {
		if (rest.empty())
			throw wrong{"the frame has no name"};
		now_->names.push_back(std::make_unique<std::string>(
		    rest.starts_with("?") ? raw(rest.substr(1)) : raw(rest)));
		now_->text.push_back(now_->names.back()->c_str());
		now_->pcs.push_back(0);
		return 0;
	}
	if (now_->stack.side == STACK9_KERNEL)
		throw wrong{"a place is in the kernel's side"};
	const std::vector<unsigned char> id = build_id(take_word(rest));
	std::string_view address = take_word(rest);
	if (!address.starts_with("0x"))
		throw wrong{"the address does not begin with 0x"};
	address.remove_prefix(2);
	std::uint64_t pc = 0;
	const bool exact = first == "x";
	const int error = space_place(space_, id, raw(rest),
	    number<std::uint64_t>(address, 16), exact, pc);
	if (error == EINVAL)
		throw wrong{"the address is not below 2^47"};
	if (exact && now_->pcs.empty())
		now_->stack.flags |= STACK9_STACK_EXACT;
	now_->pcs.push_back(pc);
	now_->text.push_back(nullptr);
	return error;
}

void
text_reader::end(bool none, std::string_view rest)
{
	const text_word *const w = why_of(take_word(rest));
	if (now_ == nullptr || now_->ended || none != now_->pcs.empty())
		throw wrong{none ? "none comes after frames, or is outside the "
		    "sides" : "end comes after no frame, or is outside the "
		    "sides"};
	if (w == nullptr)
		throw wrong{"its second word is not a reason"};
	stack9_stack &s = now_->stack;
	if (none && w->error == 0)
		throw wrong{"its second word is not a reason for none"};
	s.why = w->why;
	s.error = none ? w->error : 0;
	while (!rest.empty()) {
		const std::string_view word = take_word(rest);
		if (word == "dropped")
			s.dropped = number<std::uint32_t>(take_word(rest));
		else if (word == "guessed")
			s.flags |= STACK9_STACK_GUESSED;
		else
			throw wrong{"a word after the reason is not known"};
	}
	now_->ended = true;
}

// A side of names alone has no addresses, and one of addresses alone no names.
void
text_reader::finish(side &of)
{
	stack9_stack &s = of.stack;
	s.depth = static_cast<std::uint32_t>(of.pcs.size());
	s.route = "text";
	s.reason = stack9_why_text(s.why);
	s.when_ns = lent_.sample().when_ns;
	if (of.names.size() != of.pcs.size())
		s.pcs = of.pcs.data();
	if (!of.names.empty())
		s.text = of.text.data();
	if (s.side == STACK9_USER)
		s.space = &space_;
	s.hash = hash_of(s);
}

stack9_sample *
text_reader::keep()
{
	stack9_sample &s = lent_.sample();
	s.comm = comm_.c_str();
	for (side *const of : {&kernel_, &user_})
		if (of->begun)
			finish(*of);
	s.kernel = kernel_.begun ? &kernel_.stack : nullptr;
	s.user = user_.begun ? &user_.stack : nullptr;
	return stack9_sample_hold(&s);
}

int
report(const text_reader &at, const wrong &w)
{
	return failed(EINVAL, "line " + std::to_string(at.line()) + ": " +
	    w.what);
}

} // namespace
} // namespace stack9

extern "C" int
stack9_read_text(struct stack9_space *space, const char *text, size_t size,
    size_t *used, struct stack9_sample **sample)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {space == nullptr, "space is NULL"},
	    {text == nullptr, "text is NULL"},
	    {sample == nullptr, "sample is NULL"},
	    {space != nullptr && !has_places(*space), is_no_place_space},
	    }); error != 0)
		return error;
	return public_call([&] {
		text_reader from(*space, {text, size});
		try {
			if (const int error = from.read(); error != 0)
				return failed(error, error == ENOSPC ?
				    no_more_places : "there is no stack in it");
			stack9_sample *const made = from.keep();
			if (made == nullptr)
				return ENOMEM;
			*sample = made;
			if (used != nullptr)
				*used = from.used();
			return 0;
		} catch (const wrong &w) {
			return report(from, w);
		}
	});
}
