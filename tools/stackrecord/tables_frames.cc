// Names the frames of new stacks, and gives them and their modules numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <new>

#include "kernel.h"
#include "keys.h"
#include "tools/model/from_library.h"
#include "tools/record/identity.h"
#include "tools/record/model_frames.h"

namespace stackrecord {

struct tables::naming {
	tables		&all;
	known_process	&process;
	recording::stack &to;
	const stack9_stack &from;
	bool		 no_memory = false;
};

std::uint32_t
tables::module_of(const tools::frame &f)
{
	if (f.module.empty())
		return 0;
	recording::module m = recording::module_of(f);
	std::string key(1, static_cast<char>(m.kernel + 2 * m.deleted));
	append_bytes(key, m.path);
	key += m.build_id;
	const auto [at, fresh] = modules_.try_emplace(std::move(key),
	    static_cast<std::uint32_t>(modules_.size() + 1));
	if (fresh) {
		if (m.kernel)
			m.build_id = kernel_build_id(
			    tools::kernel_module(f));
		tick_->modules.push_back(m);
		kept_modules_.push_back(std::move(m));
	}
	return at->second;
}

std::uint32_t
tables::number_of(const tools::frame &f, std::uint32_t module)
{
	const std::size_t known = frames_.size();
	const std::uint32_t n = frames_.number(f);
	if (frames_.size() != known) {
		recording::frame made = recording::from_model(f, module);
		text_ += made.name.size() + made.readable.size() +
		    made.language.size() + made.file.size();
		frame_ids_.push_back(recording::identity_of(made, module == 0 ?
		    nullptr : &kept_modules_[module - 1]));
		tick_->frames.push_back(std::move(made));
	}
	return n + 1;
}

void
tables::put(naming &n, const stack9_frame &f)
{
	names_hidden_ |= (f.flags & STACK9_FRAME_HIDDEN) != 0;
	const tools::frame made = tools::from_library(f);
	const std::uint32_t module = module_of(made);
	n.to.frames.push_back(number_of(made, module));
	if (n.from.side != STACK9_USER || f.vaddr == 0 || module == 0)
		return;
	std::uint64_t &base = n.process.bases[module];
	if (base != f.pc - f.vaddr) {
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
	if (f->kind == STACK9_FRAME_WRITTEN ||
	    (f->build_id_size != 0 && f->vaddr != 0))
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
