// Makes a snapshot from the text of /proc/TID/maps.  A mapping that was in the
// last snapshot is the same object in this one, and a mapping that is back
// after it was gone is its old object.  So a space grows only by what is new,
// however often it is renewed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "snapshot_maker.h"

#include <algorithm>
#include <cerrno>

#include "open_mapped.h"

namespace stack9::process {
namespace {

// A program may map without end, each time elsewhere.  So many mappings are
// kept beyond those that it has; after that its space cannot be renewed any
// more.
constexpr std::size_t changes_max = 1 << 16;

bool
is_same(const mapping &m, const maps_line &l)
{
	if (m.start != l.start || m.end != l.end ||
	    m.inode != l.inode || m.major != l.major || m.minor != l.minor ||
	    m.readable != l.readable || m.writable != l.writable ||
	    m.executable != l.executable)
		return false;
	if (m.is_moved)
		return true;
	if (m.offset != l.offset)
		return false;
	if (!m.deleted && m.path == l.path)
		return true;
	bool deleted;
	return path_of(l, deleted) == m.path && deleted == m.deleted;
}

} // namespace

const mapping *
snapshot_maker::known(const maps_line &l)
{
	while (before_ != nullptr && at_ < before_->size() &&
	    (*before_)[at_].start < l.start)
		at_++;
	if (before_ != nullptr && at_ < before_->size() &&
	    is_same(*(*before_)[at_].what, l) &&
	    seen_files_.is_of_now(*(*before_)[at_].what))
		return (*before_)[at_].what;
	const auto [from, to] = kept_.gone_.equal_range(l.start);
	for (auto at = from; at != to; ++at)
		if (!at->second->is_moved && is_same(*at->second, l) &&
		    seen_files_.is_of_now(*at->second))
			return at->second;
	return nullptr;
}

const mapping &
snapshot_maker::add(const maps_line &l)
{
	mapping &m = kept_.seen_.emplace_back();
	m.start = l.start;
	m.end = l.end;
	m.offset = l.offset;
	m.inode = l.inode;
	m.major = l.major;
	m.minor = l.minor;
	m.readable = l.readable;
	m.writable = l.writable;
	m.executable = l.executable;
	m.path = path_of(l, m.deleted);
	if (is_named_so(from_.task(), m)) {
		m.path += " (deleted)";
		m.deleted = false;
	}
	return m;
}

// Mappings may change while their lines are read, and lines may then overlap:
// the first line has the address.
void
snapshot_maker::add_line(const maps_line &l)
{
	maps_line rest = l;
	if (!next_->empty() && rest.start < next_->back().end) {
		rest.offset += next_->back().end - rest.start;
		rest.start = next_->back().end;
	}
	if (rest.start >= rest.end)
		return;
	const mapping *m = known(rest);
	if (m == nullptr)
		m = &add(rest);
	next_->push_back({m->start, m->end, m});
}

void
snapshot_maker::keep_gone()
{
	auto next = next_->begin();
	for (const spot &s : *before_) {
		while (next != next_->end() && next->start < s.start)
			++next;
		if (next != next_->end() && next->what == s.what)
			continue;
		const auto [from, to] = kept_.gone_.equal_range(s.start);
		if (std::none_of(from, to, [&](const auto &g) {
			return g.second == s.what;
		    }))
			kept_.gone_.emplace(s.start, s.what);
	}
}

bool
snapshot_maker::has_changed() const noexcept
{
	return before_ == nullptr || !std::equal(before_->begin(),
	    before_->end(), next_->begin(), next_->end(),
	    [](const spot &a, const spot &b) { return a.what == b.what; });
}

void
snapshot_maker::read_text(std::string_view text)
{
	next_ = std::make_unique<spots>();
	if (before_ != nullptr)
		next_->reserve(before_->size() + 16);
	for (maps_line line; !text.empty();)
		if (next_line(text, line))
			add_line(line);
	open_files();
	if (!has_changed())
		return;
	if (before_ != nullptr)
		keep_gone();
	kept_.superseded_.reserve(kept_.superseded_.size() + 1);
	kept_.publish(std::move(next_));
}

void
snapshot_maker::take_text(std::string_view text)
{
	before_ = kept_.now_.load();
	first_new_ = kept_.seen_.size();
	try {
		read_text(text);
	} catch (...) {
		kept_.seen_.resize(first_new_);
		throw;
	}
}

void
snapshot_maker::take_mappings(std::vector<mapping> all)
{
	next_ = std::make_unique<spots>();
	for (mapping &each : all) {
		const mapping &m = kept_.seen_.emplace_back(std::move(each));
		next_->push_back({m.start, m.end, &m});
	}
	kept_.superseded_.reserve(kept_.superseded_.size() + 1);
	kept_.publish(std::move(next_));
}

void
snapshot_maker::take_further(mapping m)
{
	const spots *const before = kept_.now_.load();
	next_ = before != nullptr ? std::make_unique<spots>(*before) :
	    std::make_unique<spots>();
	const mapping &kept = kept_.seen_.emplace_back(std::move(m));
	next_->push_back({kept.start, kept.end, &kept});
	kept_.superseded_.reserve(kept_.superseded_.size() + 1);
	kept_.publish(std::move(next_));
}

int
snapshot_maker::run()
{
	byte_buffer text;
	before_ = kept_.now_.load();
	first_new_ = kept_.seen_.size();
	if (before_ != nullptr &&
	    first_new_ > 2 * before_->size() + changes_max)
		return ENOMEM;
	if (const int error = from_.find_text(text); error != 0)
		return error;
	take_text({reinterpret_cast<const char *>(text.data()), text.size()});
	return 0;
}

} // namespace stack9::process
