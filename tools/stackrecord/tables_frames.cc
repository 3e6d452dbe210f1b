// Names the frames of new stacks, and gives them and their modules numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <cstring>
#include <new>

#include "kernel.h"
#include "keys.h"
#include "tools/record/identity.h"

namespace stackrecord {

struct tables::naming {
	tables		&all;
	known_process	&process;
	recording::stack &to;
	const stack9_stack &from;
	bool		 no_memory = false;
};

std::uint32_t
tables::module_of(const stack9_frame &f)
{
	const bool kernel = (f.flags & STACK9_FRAME_KERNEL) != 0;
	recording::module m;
	m.path = kernel && f.module[0] == '\0' ? "vmlinux" : f.module;
	if (m.path.empty())
		return 0;
	m.kernel = kernel;
	m.deleted = (f.flags & STACK9_FRAME_DELETED) != 0;
	if (!kernel)
		m.build_id.assign(reinterpret_cast<const char *>(f.build_id),
		    f.build_id_size);
	std::string key(1, static_cast<char>(kernel + 2 * m.deleted));
	append_bytes(key, m.path);
	key += m.build_id;
	const auto [at, fresh] = modules_.try_emplace(std::move(key),
	    static_cast<std::uint32_t>(modules_.size() + 1));
	if (fresh) {
		if (kernel)
			m.build_id = kernel_build_id(f.module);
		tick_->modules.push_back(m);
		kept_modules_.push_back(std::move(m));
	}
	return at->second;
}

std::uint32_t
tables::put_frame(recording::frame &&f)
{
	std::string key;
	append_bytes(key, f.kind);
	append_bytes(key, f.exact);
	append_bytes(key, f.module);
	append_bytes(key, f.place);
	append_bytes(key, f.offset);
	key += f.name;
	const auto [at, fresh] = frames_.try_emplace(std::move(key),
	    static_cast<std::uint32_t>(frames_.size() + 1));
	if (fresh) {
		text_ += f.name.size() + f.readable.size();
		frame_ids_.push_back(recording::identity_of(f, f.module == 0 ?
		    nullptr : &kept_modules_[f.module - 1]));
		tick_->frames.push_back(std::move(f));
	}
	return at->second;
}

std::uint32_t
tables::frame_of(const stack9_frame &f)
{
	recording::frame made;
	const bool kernel = (f.flags & STACK9_FRAME_KERNEL) != 0;
	made.kind = kernel ? recording::frame_kind::kernel :
	    f.vaddr != 0 ? recording::frame_kind::file :
	    recording::frame_kind::memory;
	made.exact = (f.flags & STACK9_FRAME_EXACT) != 0;
	made.module = module_of(f);
	made.place = made.kind == recording::frame_kind::file ? f.vaddr : f.pc;
	made.name = f.linkage;
	if (std::strcmp(f.name, f.linkage) != 0 && !kernel)
		made.readable = f.name;
	made.offset = made.name.empty() ? 0 : f.offset;
	return put_frame(std::move(made));
}

void
tables::put(naming &n, const stack9_frame &f)
{
	names_hidden_ |= (f.flags & STACK9_FRAME_HIDDEN) != 0;
	n.to.frames.push_back(frame_of(f));
	if (n.from.side != STACK9_USER || f.vaddr == 0)
		return;
	const std::uint32_t module = module_of(f);
	std::uint64_t &base = n.process.bases[module];
	if (module != 0 && base != f.pc - f.vaddr) {
		base = f.pc - f.vaddr;
		tick_->bases.push_back({n.process.number, module, base});
	}
}

int
tables::add_frame(void *arg, const stack9_frame *f) noexcept
{
	naming &n = *static_cast<naming *>(arg);
	try {
		if (f->kind != STACK9_FRAME_INLINED)
			n.all.put(n, *f);
		return 0;
	} catch (const std::bad_alloc &) {
		n.no_memory = true;
		return 1;
	}
}

// A frame that no build-id stands for is named now or never.
int
tables::add_place(void *arg, const stack9_frame *f) noexcept
{
	const naming &n = *static_cast<naming *>(arg);
	if (f->build_id_size != 0 && f->vaddr != 0)
		return add_frame(arg, f);
	const bool exact = (f->flags & STACK9_FRAME_EXACT) != 0;
	return stack9_frame_at(n.from.space, f->pc, exact ? 0 :
	    STACK9_FRAMES_RETURN, add_frame, arg);
}

void
tables::name(const stack9_stack &s, known_process &p, recording::stack &to)
{
	naming n{*this, p, to, s};
	const bool later = name_later_ && s.side == STACK9_USER &&
	    s.space != nullptr;
	if (s.depth != 0)
		stack9_frames(&s, later ? STACK9_FRAMES_PLACES : 0,
		    later ? add_place : add_frame, &n);
	if (n.no_memory)
		throw std::bad_alloc();
}

} // namespace stackrecord
