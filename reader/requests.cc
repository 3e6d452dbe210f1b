// Asks for memory and files, and waits for the reply.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "requests.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace stack9::sandbox {

// A reader that gets no reply has nothing to do any more.  The other side may
// have sent more to do before it saw the request.
bool
requests::ask(message &m, unique_fd &fd) noexcept
try {
	if (!channel_.send(m))
		return false;
	while (channel_.receive(m, fd, question_max)) {
		if (m.what == kind::reply)
			return true;
		next_.emplace_back(std::move(m), std::move(fd));
	}
	return false;
} catch (const std::bad_alloc &) {
	return false;
}

bool
requests::take_next(message &m, unique_fd &fd) noexcept
{
	if (next_.empty())
		return false;
	m = std::move(next_.front().first);
	fd = std::move(next_.front().second);
	next_.pop_front();
	return true;
}

// Each walk of one process keeps what the last one has read.
void
requests::begin_walk(std::uint32_t number, const stack9_thread &who) noexcept
{
	const bool is_other = who.pid != whose_.pid ||
	    who.tid != whose_.tid || who.start != whose_.start;
	if (number == 0 || is_other)
		pages_.clear();
	if (is_other) {
		here_ = process_memory();
		known_.clear();
		requests_ = 0;
		forget_absent();
	}
	known_.begin();
	number_ = number;
	whose_ = who;
	page_size_ = read_at_once(who.start);
}

unique_fd
requests::open_memory(bool pagemap)
{
	unique_fd fd;
	message &m = asked_.begin(kind::open_memory);
	m.put(number_);
	m.put(pagemap);
	return ask(m, fd) ? std::move(fd) : unique_fd();
}

// A request takes 6 us.  A native stack asks for a word or two, and that of a
// language for fifty pages, so the descriptors are worth two more requests.
bool
requests::read_here(std::uint64_t from, void *to, std::size_t size)
{
	if (requests_ < few)
		return false;
	if (requests_ == few) {
		count_request();
		unique_fd pages = open_memory(true);
		if (pages)
			here_ = process_memory(open_memory(false),
			    std::move(pages));
	}
	return here_.error() == 0 && here_.read_present(from, to, size,
	    known_) == static_cast<ssize_t>(size);
}

// Memory can be read by pages or not at all.
const requests::page &
requests::page_of(std::uint64_t start)
{
	const auto known = pages_.find(start);
	if (known != pages_.end())
		return known->second;
	if (pages_.size() == most_bytes / page_size_)
		pages_.clear();
	page &to = pages_[start];
	to.resize(page_size_);
	if (read_here(start, to.data(), to.size()))
		return to;
	to.clear();
	if (absent_.contains(start))
		return to;
	unique_fd none;
	count_request();
	message &m = asked_.begin(kind::read_memory);
	m.put(number_);
	m.put(start);
	m.put(std::uint64_t{page_size_});
	if (ask(m, none)) {
		const auto bytes = m.get_bytes(page_size_);
		to.assign(bytes.begin(), bytes.end());
	}
	if (to.empty() && here_.error() == 0 && absent_.size() < most_absent)
		absent_.insert(start);
	return to;
}

bool
requests::read_memory(std::uintptr_t from, void *to, std::size_t size) noexcept
try {
	auto *at = static_cast<std::byte *>(to);
	if (size == page_size_ && read_here(from, to, size))
		return true;	// and the asker keeps it
	while (size != 0) {
		const std::uint64_t start = from & ~(page_size_ - 1);
		const std::size_t n = std::min(size,
		    start + page_size_ - from);
		const page &p = page_of(start);
		if (p.empty())
			return false;
		std::memcpy(at, p.data() + (from - start), n);
		at += n;
		from += n;
		size -= n;
	}
	return true;
} catch (const std::bad_alloc &) {
	return false;
}

void
requests::read_parts(std::span<part> all) noexcept
try {
	for (part &p : all)
		p.is_read = read_here(p.from, p.to, p.size);
	if (here_.error() != 0)
		ask_for(all);
} catch (const std::bad_alloc &) {	// those parts are not read
}

// The reply has a byte for each part, and the bytes of those that were read.
void
requests::ask_for(std::span<part> all)
{
	unique_fd none;
	for (std::size_t n; !all.empty(); all = all.subspan(n)) {
		message &m = asked_.begin(kind::read_parts);
		m.put(number_);
		count_request();
		n = std::min(all.size(), parts_at_once);
		for (const part &p : all.first(n)) {
			m.put(p.from);
			m.put(p.size);
		}
		if (!ask(m, none))
			return;
		for (part &p : all.first(n)) {
			const bool is_read = m.get<bool>();
			const auto bytes = m.get_bytes(is_read ? p.size : 0);
			if (!m.whole())
				return;
			p.is_read = is_read;
			std::copy(bytes.begin(), bytes.end(), p.to);
		}
	}
}

int
requests::open_elf(const char *path, unique_fd &fd) noexcept
try {
	message &m = asked_.begin(kind::open_elf);
	m.put_text(path);
	if (!ask(m, fd))
		return ENOENT;
	const auto error = m.get<int>();
	return error != 0 ? error : fd ? 0 : EMFILE;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

unique_fd
requests::open_perf_map(pid_t &inner) noexcept
{
	unique_fd fd;
	message &m = asked_.begin(kind::open_perf_map);
	if (!ask(m, fd))
		return unique_fd();
	inner = m.get<pid_t>();
	return fd;
}

unique_fd
requests::fetch(std::span<const unsigned char> build_id) noexcept
try {
	unique_fd fd;
	message &m = asked_.begin(kind::fetch);
	m.put_text({reinterpret_cast<const char *>(build_id.data()),
	    build_id.size()});
	return ask(m, fd) ? std::move(fd) : unique_fd();
} catch (const std::bad_alloc &) {
	return unique_fd();
}

} // namespace stack9::sandbox
