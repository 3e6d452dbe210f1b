// Compares stacks by all of their addresses, never by their hashes alone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

#include "kernel.h"
#include "tools/record/identity.h"
#include "tools/record/limits.h"

namespace stackrecord {
namespace {

// So many of one process are as many as a segment has.
constexpr std::size_t most_known = 65536;

template <class Value>
void
append_bytes(std::string &key, const Value &value)
{
	static_assert(std::is_trivially_copyable_v<Value>);
	char bytes[sizeof value];
	std::memcpy(bytes, &value, sizeof value);
	key.append(bytes, sizeof value);
}

void
append_bytes(std::string &key, const std::string &text)
{
	append_bytes(key, text.size());
	key += text;
}

} // namespace

struct tables::naming {
	tables		&all;
	known_process	&process;
	recording::stack &to;
	bool		 user;
	bool		 no_memory = false;
};

// The addresses mean what they meant as long as the mappings are the same.
void
known_process::maps(stack9_space *now)
{
	if (now == nullptr || now == space.get())
		return;
	space.reset(stack9_space_hold(now));
	stacks.clear();
}

void
tables::clear()
{
	kernel_ = {};
	modules_.clear();
	frames_.clear();
	stacks_.clear();
	waits_.clear();
	events_.clear();
	kept_modules_.clear();
	frame_ids_.clear();
	frame_numbers_ = text_ = 0;
}

bool
tables::is_full() const
{
	return frames_.size() > recording::most_frames / 2 ||
	    stacks_.size() > recording::most_stacks / 2 ||
	    modules_.size() > recording::most_modules / 2 ||
	    waits_.size() > recording::most_waits / 2 ||
	    events_.size() > recording::most_events / 2 ||
	    frame_numbers_ > recording::most_frame_numbers / 2 ||
	    text_ > recording::most_text_of_all / 2;
}

std::uint32_t
tables::find(const known_addresses &in, const stack9_stack &s) const
{
	const auto [first, last] = in.stacks.equal_range(s.hash);
	for (auto at = first; at != last; ++at) {
		const known_addresses::stack &known = at->second;
		if (known.error == s.error && known.why == s.why &&
		    known.flags == s.flags && known.dropped == s.dropped &&
		    std::equal(known.pcs.begin(), known.pcs.end(), s.pcs,
		    s.pcs + s.depth))
			return known.number;
	}
	return 0;
}

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

int
tables::add_frame(void *arg, const stack9_frame *f) noexcept
{
	naming &n = *static_cast<naming *>(arg);
	try {
		if (f->kind == STACK9_FRAME_INLINED)
			return 0;
		n.all.names_hidden_ |= (f->flags & STACK9_FRAME_HIDDEN) != 0;
		n.to.frames.push_back(n.all.frame_of(*f));
		if (!n.user || f->vaddr == 0)
			return 0;
		const std::uint32_t module = n.all.module_of(*f);
		std::uint64_t &base = n.process.bases[module];
		if (module != 0 && base != f->pc - f->vaddr) {
			base = f->pc - f->vaddr;
			n.all.tick_->bases.push_back({n.process.number, module,
			    base});
		}
		return 0;
	} catch (const std::bad_alloc &) {
		n.no_memory = true;
		return 1;
	}
}

void
tables::name(const stack9_stack &s, known_process &p, recording::stack &to)
{
	naming n{*this, p, to, s.side == STACK9_USER};
	if (s.depth != 0)
		stack9_frames(&s, 0, add_frame, &n);
	if (n.no_memory)
		throw std::bad_alloc();
}

std::uint32_t
tables::put_stack(recording::stack &&s)
{
	std::string key;
	append_bytes(key, s.side);
	append_bytes(key, s.error);
	append_bytes(key, s.why);
	append_bytes(key, s.flags);
	append_bytes(key, s.dropped);
	append_bytes(key, s.reason);
	append_bytes(key, s.route);
	for (const std::uint32_t f : s.frames)
		append_bytes(key, f);
	const auto [at, fresh] = stacks_.try_emplace(std::move(key),
	    static_cast<std::uint32_t>(stacks_.size() + 1));
	if (fresh) {
		frame_numbers_ += s.frames.size();
		s.id = recording::identity_of(s, frame_ids_);
		tick_->stacks.push_back(std::move(s));
	}
	return at->second;
}

std::uint32_t
tables::number_of(recording::wait &&w, recording::tick &t)
{
	std::string key;
	append_bytes(key, w.flags);
	append_bytes(key, w.holder);
	for (const std::string *text : {&w.kind, &w.call, &w.object, &w.place})
		append_bytes(key, *text);
	const auto [at, fresh] = waits_.try_emplace(std::move(key),
	    static_cast<std::uint32_t>(waits_.size() + 1));
	if (fresh) {
		text_ += w.kind.size() + w.call.size() + w.object.size() +
		    w.place.size();
		t.waits.push_back(std::move(w));
	}
	return at->second;
}

std::uint32_t
tables::number_of(const recording::event &e, recording::tick &t)
{
	const auto [at, fresh] = events_.try_emplace(e.name,
	    static_cast<std::uint32_t>(events_.size() + 1));
	if (fresh) {
		text_ += e.name.size();
		t.events.push_back(e);
	}
	return at->second;
}

std::uint32_t
tables::number_of(const stack9_stack &s, known_process &p, recording::tick &t)
{
	const bool user = s.side == STACK9_USER;
	known_addresses &known = user ? p : kernel_;
	tick_ = &t;
	if (user)
		p.maps(s.space);
	const bool by_address = s.pcs != nullptr && s.depth != 0;
	if (by_address)
		if (const std::uint32_t n = find(known, s); n != 0)
			return n;
	recording::stack made;
	made.side = static_cast<std::uint32_t>(s.side);
	made.error = s.error;
	made.why = s.why;
	made.flags = s.flags;
	made.dropped = s.dropped;
	if (s.why != STACK9_WHY_NONE)
		made.reason = s.reason;
	made.route = s.route;
	name(s, p, made);
	const std::uint32_t number = put_stack(std::move(made));
	if (by_address) {
		if (known.stacks.size() >= most_known)
			known.stacks.clear();
		known.stacks.emplace(s.hash, known_addresses::stack{
		    {s.pcs, s.pcs + s.depth}, s.error, s.why, s.flags,
		    s.dropped, number});
	}
	return number;
}

} // namespace stackrecord
