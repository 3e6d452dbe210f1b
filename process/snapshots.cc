// Finds addresses in the newest snapshot, and replaces it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "snapshots.h"

#include <algorithm>

namespace stack9::process {

place
place_in(const mapping &m, std::uintptr_t address) noexcept
{
	place p{&m, m.backing.get(), 0, 0};
	if (m.is_image)
		p.vaddr = address - m.image_at;
	else if (p.backing != nullptr && p.backing->vaddr_of(
	    address - m.start + m.offset, p.vaddr))
		p.bias = address - p.vaddr;
	return p;
}

void
describe(const mapping &where, std::uint64_t vaddr, std::uintptr_t address,
    mapped_module &m) noexcept
{
	m.path = where.path.c_str();
	m.start = where.start;
	m.end = where.end;
	m.offset = where.offset + (address - where.start);
	if (where.is_image && where.inode == 0)
		m.start = m.end = m.offset = 0;
	m.vaddr = vaddr;
	m.deleted = where.deleted;
	const auto &id = where.backing != nullptr &&
	    !where.backing->build_id().empty() ? where.backing->build_id() :
	    where.reported_build_id;
	m.build_id_size = static_cast<unsigned int>(
	    std::min(id.size(), sizeof m.build_id));
	std::copy_n(id.begin(), m.build_id_size, m.build_id);
}

// The kernel's own mappings have names like [vdso]; those that it gives to
// anonymous memory are "[heap]", "[stack]" and what begins with "[anon".  A
// mapping logged by perf_event_open(2) has "//anon".  Code is also written
// through a second mapping of a file that was never in a directory.
bool
is_of_no_file(const mapping &m) noexcept
{
	const std::string_view path = m.path;
	if (m.is_moved)
		return false;
	if (m.inode != 0)
		return path.starts_with("/memfd:") ||
		    path == "/dev/zero" || path.starts_with("/SYSV");
	return !path.starts_with('[') || path == "[heap]" ||
	    path == "[stack]" || path.starts_with("[anon");
}

namespace {

// A file that was written over between the two snapshots was opened again.
bool
was_written_over(const mapping &a, const mapping &b) noexcept
{
	return a.backing != nullptr && b.backing != nullptr &&
	    a.backing->opened() != b.backing->opened();
}

bool
is_same_mapping(const mapping &a, const mapping &b) noexcept
{
	return a.start == b.start && a.end == b.end && a.offset == b.offset &&
	    a.inode == b.inode && a.major == b.major && a.minor == b.minor &&
	    a.deleted == b.deleted && a.is_moved == b.is_moved &&
	    a.path == b.path && !was_written_over(a, b);
}

// The mapping that a thread found last, and the snapshot that has it.  Frames
// of one stack share few mappings, and a reading costs two atomic counts.
[[gnu::tls_model("initial-exec")]] constinit thread_local struct {
	std::uint64_t	look = 0;
	const mapping	*what = nullptr;
} found_here;

} // namespace

// A thread that counts itself among the readers after the exchange finds the
// new snapshot.
void
snapshots::publish(std::unique_ptr<const spots> next) noexcept
{
	static constinit std::atomic<std::uint64_t> made{0};
	superseded_.emplace_back(now_.exchange(next.release()));
	number_.store(made.fetch_add(1) + 1, std::memory_order_release);
	if (readers_.load() == 0)
		superseded_.clear();
}

// A mapping never moves, so it outlives the reading.
const mapping *
snapshots::find_mapping(std::uintptr_t address) noexcept
{
	const std::uint64_t look = number();
	if (look != 0 && found_here.look == look &&
	    address >= found_here.what->start && address < found_here.what->end)
		return found_here.what;
	const mapping *const found = search(address);
	if (found != nullptr)
		found_here = {look, found};
	return found;
}

const mapping *
snapshots::search(std::uintptr_t address) noexcept
{
	const reading now(*this);
	if (now.list == nullptr)
		return nullptr;
	const auto behind = std::upper_bound(now.list->begin(),
	    now.list->end(), address, [](std::uintptr_t a, const spot &s) {
		return a < s.start;
	    });
	return behind != now.list->begin() &&
	    address < std::prev(behind)->end ? std::prev(behind)->what :
	    nullptr;
}

bool
snapshots::find(std::uintptr_t address, place &to) noexcept
{
	const mapping *const found = find_mapping(address);
	if (found == nullptr)
		return false;
	to = place_in(*found, address);
	return true;
}

// A JIT's own memory counts, too: its names are found by address.
bool
snapshots::is_same_code(snapshots &other) noexcept
{
	if (process_start_ != other.process_start_)
		return false;
	const reading a(*this), b(other);
	if (a.list == nullptr || b.list == nullptr)
		return false;
	const auto code = [](const spots &in, spots::const_iterator &at) {
		at = std::find_if(at, in.end(), [](const spot &s) {
			return s.what->executable;
		});
		return at != in.end();
	};
	auto of_a = a.list->begin(), of_b = b.list->begin();
	for (;; ++of_a, ++of_b) {
		const bool more = code(*a.list, of_a);
		if (code(*b.list, of_b) != more)
			return false;
		if (!more)
			return true;
		if (!is_same_mapping(*of_a->what, *of_b->what))
			return false;
	}
}

} // namespace stack9::process
