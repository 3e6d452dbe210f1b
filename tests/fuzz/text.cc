// Reads any bytes as the text form of stacks: each sample that is read can be
// printed, and is written as a text that is read as the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <stack9.h>

#include "fuzz.h"

namespace {

// A space without a process that finds no file.
class text_places {
public:
	text_places()
	{
		if (stack9_space_open_build_ids(nullptr, 0, &space_) != 0)
			fail("no space of places");
	}
	~text_places() { stack9_space_close(space_); }
	text_places(const text_places &) = delete;
	text_places &operator=(const text_places &) = delete;
	stack9_space *get() const noexcept { return space_; }

private:
	stack9_space	*space_ = nullptr;
};

// A sample that stack9_read_text() has stored.
class text_sample {
public:
	text_sample() = default;
	~text_sample() { stack9_sample_close(sample_); }
	text_sample(const text_sample &) = delete;
	text_sample &operator=(const text_sample &) = delete;

	int
	read(const text_places &of, std::string_view text, std::size_t &used)
	{
		return stack9_read_text(of.get(), text.data(), text.size(),
		    &used, &sample_);
	}
	const stack9_sample *operator->() const noexcept { return sample_; }
	const stack9_sample *get() const noexcept { return sample_; }

private:
	stack9_sample	*sample_ = nullptr;
};

void
append_text(void *arg, const char *text, std::size_t size)
{
	static_cast<std::string *>(arg)->append(text, size);
}

std::string
written_text(const text_sample &s)
{
	std::string text;
	if (stack9_write_text(s.get(), 0, append_text, &text) != 0)
		fail("a sample that cannot be written");
	return text;
}

// The name of a file has a bracket: where a function's name before it ends
// cannot be seen then.
bool
has_brackets_in_brackets(const std::string &text)
{
	for (std::size_t at = 0; at < text.size();) {
		const std::size_t end = text.find('\n', at);
		const std::string line = text.substr(at, end - at);
		if (line.starts_with("n ") &&
		    line.find('[') != line.rfind('['))
			return true;
		at = end == text.npos ? end : end + 1;
	}
	return false;
}

void
check_text_side(const stack9_stack *s)
{
	if (s == nullptr)
		return;
	if (s->depth == 0 && s->error == 0)
		fail("a side without frames and without a reason");
	if (s->depth > 65536)
		fail("more frames than a side may have");
}

void
check_text(const text_places &of, const text_sample &s)
{
	if (s->kernel == nullptr && s->user == nullptr)
		fail("a stack without a side");
	check_text_side(s->kernel);
	check_text_side(s->user);
	std::string printed;
	if (stack9_print(s.get(), 0, append_text, &printed) != 0)
		fail("a sample that cannot be printed");
	const std::string once = written_text(s);
	text_sample again;
	std::size_t used = 0;
	const int error = again.read(of, once, used);
	if (error == ENOSPC || error == ENOMEM)
		return;
	if (error != 0)
		fail("what is written cannot be read");
	if (used != once.size())
		fail("what is written is not read to its end");
	if (!has_brackets_in_brackets(once) && written_text(again) != once)
		fail("what is written is read as something else");
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	// Without a byte there is no pointer, either.
	std::string_view rest(size == 0 ? "" :
	    reinterpret_cast<const char *>(data), size);
	const text_places of;
	while (true) {
		text_sample s;
		std::size_t used = 0;
		const int error = s.read(of, rest, used);
		if (error != 0 && error != ENOENT && error != EINVAL &&
		    error != ENOSPC && error != ENOMEM)
			fail("an errno that the page does not have");
		if (error != 0)
			return 0;
		if (used == 0 || used > rest.size())
			fail("a stack of no length, or one beyond the text");
		check_text(of, s);
		rest.remove_prefix(used);
	}
}
