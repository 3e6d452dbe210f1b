// Copies the names that the library lends for the time of a call.  Addresses
// are not copied.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "from_library.h"

#include <cstring>
#include <span>
#include <utility>

#include "hex.h"

namespace tools {
namespace {

std::uint8_t
flags_of(const stack9_frame &f)
{
	const auto flag = [&](std::uint32_t from, std::uint8_t to) {
		return (f.flags & from) != 0 ? to : std::uint8_t{0};
	};
	return static_cast<std::uint8_t>(
	    flag(STACK9_FRAME_EXACT, frame_exact) |
	    flag(STACK9_FRAME_SIGNAL, frame_signal) |
	    flag(STACK9_FRAME_DELETED, frame_deleted) |
	    flag(STACK9_FRAME_GUESSED, frame_guessed) |
	    (f.start != 0 ? frame_mapped : 0) |
	    (f.vaddr != 0 ? frame_in_file : 0));
}

// Functions of the kernel are not demangled.
void
name(frame &to, const stack9_frame &f)
{
	if (to.kind == frame_kind::kernel) {
		to.name = f.linkage;
		return;
	}
	to.name = f.name;
	if (to.name != f.linkage)
		to.linkage = f.linkage;
}

} // namespace

frame
from_library(const stack9_frame &f)
{
	frame made;
	made.flags = flags_of(f);
	made.address = f.pc;
	if (f.kind == STACK9_FRAME_WRITTEN) {
		made.kind = frame_kind::language;
		made.language = f.language;
	} else if ((f.flags & STACK9_FRAME_KERNEL) != 0) {
		made.kind = frame_kind::kernel;
		made.module = f.module[0] != '\0' ? f.module : kernel_file;
	} else {
		if (f.vaddr != 0)
			made.address = f.vaddr;
		made.module = f.module;
		made.build_id = in_hex(std::span(f.build_id,
		    f.build_id_size));
	}
	name(made, f);
	if (f.linkage[0] != '\0')
		made.offset = f.offset;
	made.file = f.file;
	made.line = f.line;
	made.column = f.column;
	return made;
}

frame
inlined_in(const frame &around, frame &&call)
{
	call.kind = frame_kind::inlined;
	call.flags = around.flags;
	call.module = around.module;
	call.build_id = around.build_id;
	call.address = around.address;
	call.offset = 0;
	return std::move(call);
}

stack
from_library(const stack9_stack &s)
{
	stack made;
	made.side = s.side;
	made.error = s.error;
	made.why = s.why;
	made.flags = s.flags;
	made.dropped = s.dropped;
	made.reason = s.reason;
	made.route = s.route;
	made.when_ns = s.when_ns;
	if (s.pcs != nullptr)
		made.pcs = {s.pcs, s.depth};
	else if (s.text != nullptr)
		made.text = {s.text, s.depth};
	made.written = {s.written, s.written_count};
	if (s.written_note != nullptr)
		made.note = s.written_note;
	made.process = made.space = s.space;
	made.hash = s.hash;
	return made;
}

sample
from_library(const stack9_sample &s)
{
	sample made;
	made.thread = s.thread;
	made.comm = s.comm;
	made.state = static_cast<char>(s.state);
	made.cpu = s.cpu;
	made.tracer = s.tracer;
	made.when_ns = s.when_ns;
	made.switches = s.switches;
	if (s.kernel != nullptr)
		made.kernel = from_library(*s.kernel);
	if (s.user != nullptr)
		made.user = from_library(*s.user);
	if (s.user != nullptr && s.user->thread_name != nullptr)
		made.name = s.user->thread_name;
	made.captured = {std::shared_ptr<const void>(), &s};
	return made;
}

sample
from_library(const std::shared_ptr<const stack9_sample> &s)
{
	sample made = from_library(*s);
	made.captured = s;
	for (std::optional<stack> *const side : {&made.kernel, &made.user})
		if (side->has_value())
			(*side)->owner = s;
	return made;
}

} // namespace tools
