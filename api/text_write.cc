// Writes a sample as plain text that names its frames by build-ids, as
// stack9_text(3) has it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>
#include <new>
#include <string>

#include "core/arguments.h"

#include "places.h"
#include "print_text.h"

namespace stack9 {
namespace {

struct lines {
	std::string		 text;
	const stack9_stack	*of;
	bool			 no_memory = false;
};

// A name without an address: name+0xoffset, and the file in brackets.  A name
// may begin with a question mark itself (Microsoft's C++).
void
add_name(std::string &to, const stack9_frame &f)
{
	if (f.name[0] == '\0')
		to += "n ?";
	else if (f.name[0] == '?')
		to += "n \\077" + printable(f.name + 1) + '+' + hex(f.offset);
	else
		to += "n " + printable(f.name) + '+' + hex(f.offset);
	const std::string file = printable(base_name(f.module));
	if (!file.empty())
		to += " [" + file + ']';
	to += '\n';
}

int
name_only(void *arg, const stack9_frame *f) noexcept
{
	lines &to = *static_cast<lines *>(arg);
	try {
		add_name(to.text, *f);
		return 0;
	} catch (const std::bad_alloc &) {
		to.no_memory = true;
		return 1;
	}
}

void
add_place(std::string &to, const stack9_frame &f)
{
	to += (f.flags & STACK9_FRAME_EXACT) != 0 ? "x " : "p ";
	for (std::uint32_t i = 0; i < f.build_id_size; i++) {
		to += "0123456789abcdef"[f.build_id[i] >> 4];
		to += "0123456789abcdef"[f.build_id[i] & 0xf];
	}
	to += ' ' + hex(f.vaddr) + ' ' + printable(f.module) + '\n';
}

// A frame that cannot be placed by a build-id is named now or never.
int
place_or_name(void *arg, const stack9_frame *f) noexcept
{
	lines &to = *static_cast<lines *>(arg);
	try {
		if (f->build_id_size >= 2 &&
		    f->build_id_size <= most_build_id && f->vaddr != 0 &&
		    f->vaddr >> 47 == 0)
			add_place(to.text, *f);
		else if ((f->flags & STACK9_FRAME_NO_PC) != 0)
			add_name(to.text, *f);
		else
			stack9_frame_at(to.of->space, f->pc,
			    STACK9_FRAMES_LINKAGE |
			    ((f->flags & STACK9_FRAME_EXACT) != 0 ? 0 :
			    STACK9_FRAMES_RETURN), name_only, &to);
		return to.no_memory ? 1 : 0;
	} catch (const std::bad_alloc &) {
		to.no_memory = true;
		return 1;
	}
}

void
add_side(lines &to, const stack9_stack *s, const char *word)
{
	if (s == nullptr)
		return;
	const text_word *const why = word_of(s->why);
	to.text.append(word) += '\n';
	to.of = s;
	if (s->side == STACK9_USER)
		stack9_frames(s, STACK9_FRAMES_PLACES, place_or_name, &to);
	else
		stack9_frames(s, STACK9_FRAMES_LINKAGE, name_only, &to);
	if (to.no_memory)
		throw std::bad_alloc();
	to.text += s->depth != 0 ? "end " : "none ";
	to.text += why != nullptr ? why->word : s->depth != 0 ? "unwind" :
	    "machine";
	if (s->dropped != 0)
		to.text += " dropped " + std::to_string(s->dropped);
	if ((s->flags & STACK9_STACK_GUESSED) != 0)
		to.text += " guessed";
	to.text += '\n';
}

void
add_thread(std::string &to, const stack9_sample &s)
{
	to.append(text_head) += '\n';
	if (s.thread.pid != 0)
		to += "thread " + std::to_string(s.thread.tid) + ' ' +
		    std::to_string(s.thread.pid) + ' ' +
		    std::to_string(s.thread.start) + ' ' +
		    (s.state > ' ' && s.state < 0x7f ?
		    static_cast<char>(s.state) : '?') + ' ' +
		    printable(s.comm) + '\n';
	if (s.when_ns != 0)
		to += "when " + std::to_string(s.when_ns) + '\n';
	if (s.event != nullptr)
		to += "event " + printable(s.event) + '\n';
	if (s.kind == STACK9_SAMPLE_COUNT)
		to += "count " + std::to_string(s.events) + '\n';
}

} // namespace
} // namespace stack9

extern "C" int
stack9_write_text(const struct stack9_sample *sample, unsigned int flags,
    stack9_text_fn *fn, void *arg)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {sample == nullptr, "sample is NULL"},
	    {flags != 0, has_unknown_flags},
	    }); error != 0)
		return error;
	return public_call([&] {
		lines to{{}, nullptr};
		add_thread(to.text, *sample);
		add_side(to, sample->kernel, "kernel");
		add_side(to, sample->user, "user");
		if (fn != nullptr)
			fn(arg, to.text.data(), to.text.size());
		else if (std::fwrite(to.text.data(), 1, to.text.size(),
		    stdout) != to.text.size())
			return EIO;
		return 0;
	});
}
