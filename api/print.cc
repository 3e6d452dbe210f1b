// Prints a sample for people, as stackprint(1) does.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "core/arguments.h"

#include "print_text.h"

namespace stack9 {
namespace {

constexpr const char *margin = "          ";
constexpr unsigned int print_flags = STACK9_PRINT_ADDRESSES |
    STACK9_FRAMES_LINES | STACK9_FRAMES_DEBUGINFOD | STACK9_FRAMES_LINKAGE;

// One line for each frame; names, files and lines in columns.
struct row {
	std::string	name, file, site;
};

struct rows {
	unsigned int		 flags;
	std::vector<row>	 all;
	bool			 no_memory = false;
};

std::string
site_of(const stack9_frame &f, bool whole_path)
{
	if (f.file[0] == '\0')
		return {};
	std::string text = printable(whole_path ? f.file : base_name(f.file));
	if (f.line != 0)
		text += ':' + std::to_string(f.line);
	return text;
}

std::string
name_of(const stack9_frame &f, bool addresses)
{
	std::string text;
	if (addresses && (f.flags & STACK9_FRAME_NO_PC) == 0)
		text = f.kind == STACK9_FRAME_INLINED ?
		    std::string(18 + 2, ' ') : address(f.pc) + "  ";
	if (f.name[0] == '\0')
		return text + (addresses ? "??" : "??  " + address(f.pc));
	text += printable(f.name);
	if (f.kind == STACK9_FRAME_INLINED)
		return text + " (inlined)";
	return text + '+' + hex(f.offset);
}

// A place without a name is its address in its file.  addr2line(1) takes that.
std::string
file_of(const stack9_frame &f)
{
	if ((f.flags & STACK9_FRAME_KERNEL) != 0)
		return f.module[0] == '\0' ? std::string() :
		    '[' + printable(f.module) + ']';
	std::string text = printable(base_name(f.module));
	if ((f.flags & STACK9_FRAME_DELETED) != 0 &&
	    text::is_in_directory(f.module))
		text += " (deleted)";
	if (f.name[0] == '\0' && f.vaddr != 0)
		text += '+' + hex(f.vaddr);
	return text;
}

int
add_row(void *arg, const stack9_frame *f) noexcept
{
	rows &to = *static_cast<rows *>(arg);
	try {
		const bool addresses =
		    (to.flags & STACK9_PRINT_ADDRESSES) != 0;
		to.all.push_back({name_of(*f, addresses), file_of(*f),
		    site_of(*f, addresses)});
		return 0;
	} catch (const std::bad_alloc &) {
		to.no_memory = true;
		return 1;
	}
}

void
append_rows(std::string &out, const rows &from, const char *first)
{
	// A longer text moves only the rest of its own line.
	constexpr std::size_t widest_name = 48, widest_file = 24;
	std::size_t name = 0, file = 0;
	for (const row &r : from.all) {
		widen(name, r.name.size(), widest_name);
		widen(file, r.file.size(), widest_file);
	}
	for (const row &r : from.all) {
		out += first;
		out += r.name;
		if (!r.file.empty() || !r.site.empty())
			out.append(std::max(r.name.size(), name) + 2 -
			    r.name.size(), ' ').append(r.file);
		if (!r.site.empty())
			out.append(std::max(r.file.size(), file) + 2 -
			    r.file.size(), ' ').append(r.site);
		out += '\n';
		first = margin;
	}
}

void
append_side(std::string &out, const stack9_stack &s, const char *first,
    unsigned int flags)
{
	if (s.error != 0) {
		out.append(first).append("none: ").append(s.reason) += '\n';
		return;
	}
	rows frames{flags, {}};
	stack9_frames(&s, flags & ~STACK9_PRINT_ADDRESSES, add_row, &frames);
	if (frames.no_memory)
		throw std::bad_alloc();
	append_rows(out, frames, first);
	out.append(margin).append(stop_reason_of(s)) += '\n';
}

// Gives the innermost function that is not the scheduler's to a sleeper.
int
find_wait(void *arg, const stack9_frame *f)
{
	if (f->name[0] == '\0' || is_scheduler(f->name))
		return 0;
	*static_cast<std::string *>(arg) = f->name;
	return 1;
}

// Events that were counted have no thread.
void
append_count(std::string &out, const stack9_sample &s)
{
	if (s.thread.pid != 0)
		out += printable(s.comm) + "  pid " +
		    std::to_string(s.thread.pid) + "  ";
	out += text::amount(s.events, "event");
	if (s.weight_ns != 0)
		out += ", " + std::to_string(s.weight_ns) + " ns";
	out += '\n';
}

void
append_header(std::string &out, const stack9_sample &s)
{
	std::string where;
	if (s.kernel != nullptr && s.kernel->error == 0 && s.state != 0 &&
	    std::strchr("SDI", s.state) != nullptr)
		stack9_frames(s.kernel, STACK9_FRAMES_LINKAGE, find_wait,
		    &where);
	if (s.thread.tid == 0) {
		append_count(out, s);
		return;
	}
	out += thread_names(s.comm, s.user != nullptr ? s.user->thread_name :
	    nullptr) + "  pid " + std::to_string(s.thread.pid) +
	    "  tid " + std::to_string(s.thread.tid);
	// A core does not say what its threads did.
	if (s.user == nullptr || std::strcmp(s.user->route, "core") != 0)
		out += std::string("  ") +
		    state_word(static_cast<char>(s.state));
	if (!where.empty())
		out += " in " + printable(where);
	if (s.cpu >= 0)
		out += ", cpu " + std::to_string(s.cpu);
	out += '\n';
}

int
write_out(std::string_view text) noexcept
{
	return std::fwrite(text.data(), 1, text.size(), stdout) ==
	    text.size() ? 0 : EIO;
}

} // namespace
} // namespace stack9

extern "C" int
stack9_print(const struct stack9_sample *sample, unsigned int flags,
    stack9_text_fn *fn, void *arg)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {sample == nullptr, "sample is NULL"},
	    {(flags & ~print_flags) != 0, has_unknown_flags},
	    }); error != 0)
		return error;
	return public_call([&] {
		std::string out;
		append_header(out, *sample);
		if (sample->kernel != nullptr)
			append_side(out, *sample->kernel, "  kernel  ", flags);
		// A kernel thread never has a user stack, so nothing is
		// printed.
		if (sample->user != nullptr && (sample->kernel == nullptr ||
		    sample->user->why != STACK9_WHY_KTHREAD))
			append_side(out, *sample->user, "  user    ", flags);
		if (fn == nullptr)
			return write_out(out);
		fn(arg, out.data(), out.size());
		return 0;
	});
}
