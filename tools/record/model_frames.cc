// Knows what of the model a record keeps: a module by its number, a build-id as
// bytes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "model_frames.h"

#include "segment.h"
#include "tools/model/hex.h"

namespace recording {
namespace {

tools::frame_kind
model_kind(frame_kind kind)
{
	return kind == frame_kind::kernel ? tools::frame_kind::kernel :
	    kind == frame_kind::language ? tools::frame_kind::language :
	    tools::frame_kind::user;
}

frame_kind
kind_of(const tools::frame &f)
{
	return f.kind == tools::frame_kind::kernel ? frame_kind::kernel :
	    f.kind == tools::frame_kind::language ? frame_kind::language :
	    (f.flags & tools::frame_in_file) != 0 ? frame_kind::file :
	    frame_kind::memory;
}

std::string
from_hex(const std::string &text)
{
	const auto digit = [](char c) {
		return c <= '9' ? c - '0' : c - 'a' + 10;
	};
	std::string bytes;
	for (std::size_t i = 0; i + 1 < text.size(); i += 2)
		bytes += static_cast<char>(digit(text[i]) << 4 |
		    digit(text[i + 1]));
	return bytes;
}

} // namespace

// All that a record has of a process was mapped there.
tools::frame
to_model(const segment &s, std::uint32_t which)
{
	const frame &from = s.frame_of(which);
	tools::frame f;
	f.kind = model_kind(from.kind);
	f.flags = static_cast<std::uint8_t>(
	    (from.exact ? tools::frame_exact : 0) |
	    (f.kind == tools::frame_kind::user ? tools::frame_mapped : 0) |
	    (from.kind == frame_kind::file ? tools::frame_in_file : 0) |
	    (from.guessed ? tools::frame_guessed : 0));
	f.name = from.readable.empty() ? from.name : from.readable;
	if (f.name != from.name)
		f.linkage = from.name;
	f.address = from.place;
	f.offset = from.offset;
	f.file = from.file;
	f.line = from.line;
	f.language = from.language;
	if (const module *m = s.module_of(from.module)) {
		f.module = m->path;
		f.build_id = tools::in_hex(m->build_id);
		if (m->deleted)
			f.flags |= tools::frame_deleted;
	}
	return f;
}

frame
from_model(const tools::frame &f, std::uint32_t module)
{
	frame made;
	made.kind = kind_of(f);
	made.exact = (f.flags & tools::frame_exact) != 0;
	made.module = module;
	made.place = f.address;
	made.name = tools::linkage_of(f);
	if (!f.linkage.empty())
		made.readable = f.name;
	made.offset = f.offset;
	if (made.kind == frame_kind::language) {
		made.language = f.language;
		made.file = f.file;
		made.line = f.line;
		made.guessed = (f.flags & tools::frame_guessed) != 0;
	}
	return made;
}

module
module_of(const tools::frame &f)
{
	module m;
	m.path = f.module;
	m.build_id = from_hex(f.build_id);
	m.kernel = f.kind == tools::frame_kind::kernel;
	m.deleted = (f.flags & tools::frame_deleted) != 0;
	return m;
}

} // namespace recording
