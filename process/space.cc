// See space.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "space.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "snapshot_maker.h"

using stack9::process::place;
using stack9::process::spot;
using stack9::process::spots;

namespace stack9::process {

place
place_in(const mapping &m, std::uintptr_t address) noexcept
{
	place p{&m, m.backing.get(), 0, 0};
	if (p.backing != nullptr && p.backing->vaddr_of(
	    address - m.start + m.offset, p.vaddr))
		p.bias = address - p.vaddr;
	return p;
}

} // namespace stack9::process

stack9_space::stack9_space(const stack9_thread &td) noexcept : thread_(td) {}

stack9_space::~stack9_space()
{
	delete now_.load();
}

int
stack9_space::look() noexcept
try {
	const std::lock_guard hold(lock_);
	return stack9::process::look_taker(*this).run();
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

int
stack9_space::believe(std::string_view maps) noexcept
try {
	const std::lock_guard hold(lock_);
	stack9::process::look_taker(*this).take_text(maps);
	return 0;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

// Who has counted itself among the readers afterwards finds the new one.
void
stack9_space::publish(std::unique_ptr<const spots> next) noexcept
{
	static constinit std::atomic<std::uint64_t> looks{0};
	superseded_.emplace_back(now_.exchange(next.release()));
	number_.store(looks.fetch_add(1) + 1, std::memory_order_release);
	if (readers_.load() == 0)
		superseded_.clear();
}

bool
stack9_space::find(std::uintptr_t address, place &to) noexcept
{
	const stack9::process::mapping *found = nullptr;
	readers_.fetch_add(1);
	if (const spots *const now = now_.load(); now != nullptr) {
		const auto behind = std::upper_bound(now->begin(), now->end(),
		    address, [](std::uintptr_t a, const spot &s) {
			return a < s.start;
		    });
		if (behind != now->begin() && address < std::prev(behind)->end)
			found = std::prev(behind)->what;
	}
	readers_.fetch_sub(1);
	if (found == nullptr)
		return false;
	to = stack9::process::place_in(*found, address);
	return true;
}

namespace stack9 {

namespace {

// A new one, as fill() leaves it.
template <typename Fill>
int
make_space(const stack9_thread &td, stack9_space *&out, Fill fill) noexcept
{
	std::unique_ptr<stack9_space> s(new (std::nothrow) stack9_space(td));
	if (s == nullptr)
		return ENOMEM;
	const int error = fill(*s);
	if (error == 0)
		out = s.release();
	return error;
}

} // namespace

int
space_open(const stack9_thread &td, stack9_space *&out) noexcept
{
	return make_space(td, out, [](stack9_space &s) { return s.look(); });
}

int
space_of_text(const stack9_thread &td, std::string_view text,
    stack9_space *&out) noexcept
{
	return make_space(td, out, [&](stack9_space &s) {
		return s.believe(text);
	});
}

void
space_hold(stack9_space &s) noexcept
{
	s.hold();
}

void
space_drop(stack9_space *s) noexcept
{
	if (s != nullptr && s->drop())
		delete s;
}

int
space_renew(stack9_space &s) noexcept
{
	return s.look();
}

int
space_module(stack9_space &s, std::uintptr_t pc, stack9_module &to) noexcept
{
	place at;
	if (!s.find(pc, at))
		return ENOENT;
	stack9_module m{};
	m.path = at.where->path.c_str();
	m.start = at.where->start;
	m.end = at.where->end;
	m.offset = at.where->offset + (pc - at.where->start);
	m.vaddr = at.vaddr;
	m.deleted = at.where->deleted;
	if (at.backing != nullptr) {
		const auto &id = at.backing->build_id();
		m.build_id_size = static_cast<unsigned int>(
		    std::min(id.size(), sizeof m.build_id));
		std::copy_n(id.begin(), m.build_id_size, m.build_id);
	}
	to = m;
	return 0;
}

} // namespace stack9
