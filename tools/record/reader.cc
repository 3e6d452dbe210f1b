// Reads a file piece by piece.  It is not mapped: the file may become shorter
// meanwhile, and a read of what is gone would be a signal.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "reader.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "limits.h"
#include "messages.h"

namespace recording {
namespace {

// Most files are small, or only their beginning is wanted.
constexpr std::size_t first_piece = std::size_t{1} << 14;
constexpr std::size_t piece = std::size_t{1} << 20;

class file_bytes {
public:
	file_bytes() = default;
	~file_bytes()
	{
		if (fd_ >= 0)
			close(fd_);
	}
	file_bytes(const file_bytes &) = delete;
	file_bytes &operator=(const file_bytes &) = delete;

	int
	open(const std::string &path)
	{
		fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		return fd_ < 0 ? errno : 0;
	}
	std::string_view
	now() const
	{
		return std::string_view(bytes_).substr(at_);
	}
	std::uint64_t
	place() const
	{
		return passed_ + at_;
	}
	void
	pass(std::size_t bytes)
	{
		at_ += bytes;
	}
	// Has so many bytes more, or fewer at the end.  Returns 0 or an errno.
	int	fill(std::size_t need);

private:
	int		fd_ = -1;
	std::string	bytes_;
	std::size_t	at_ = 0;
	std::size_t	step_ = first_piece;	// so much is read at a time
	std::uint64_t	passed_ = 0;
};

int
file_bytes::fill(std::size_t need)
{
	if (now().size() >= need)
		return 0;
	passed_ += at_;
	bytes_.erase(0, at_);
	at_ = 0;
	while (bytes_.size() < need) {
		const std::size_t had = bytes_.size();
		bytes_.resize(had + step_);
		const ssize_t n = ::read(fd_, bytes_.data() + had, step_);
		bytes_.resize(had + static_cast<std::size_t>(
		    std::max<ssize_t>(n, 0)));
		if (n == 0)
			break;
		if (n < 0 && errno != EINTR)
			return errno;
		if (n == static_cast<ssize_t>(step_))
			step_ = std::min(4 * step_, piece);
	}
	return 0;
}

class file_reader {
public:
	file_reader(const std::string &path, visitor &v, reading &r)
	    : path_(path), visitor_(v), reading_(r) {}

	int	read();

private:
	found	next(record &, int &error);
	void	take(const record &);
	void	begin(const record &);
	void	add(const record &);
	void	close(bool complete);
	void	complain(const std::string &);
	bool	pass_damage();

	const std::string	&path_;
	visitor			&visitor_;
	reading			&reading_;
	file_bytes		 bytes_;
	std::optional<segment>	 now_;
	bool			 wanted_ = true;
};

found
file_reader::next(record &r, int &error)
{
	std::size_t need = head_size;
	for (;;) {
		error = bytes_.fill(need);
		if (error != 0)
			return found::nothing;
		const std::size_t asked = need;
		const found what = first_record(bytes_.now(), r, need);
		if (what != found::part || need <= asked)
			return what;
	}
}

void
file_reader::complain(const std::string &what)
{
	constexpr std::size_t most = 100;
	if (reading_.complaints.size() < most)
		reading_.complaints.push_back(fmt::format("{}: at byte {}: {}",
		    path_, bytes_.place(), what));
}

void
file_reader::close(bool complete)
{
	if (now_.has_value() && wanted_)
		visitor_.end(*now_, complete);
	if (now_.has_value() && !complete)
		reading_.without_end++;
	now_.reset();
}

void
file_reader::begin(const record &r)
{
	segment_info info;
	close(false);
	if (const std::string what = decode(r.payload, info); !what.empty()) {
		complain(what);
		return;
	}
	reading_.segments++;
	wanted_ = visitor_.begin(info);
	now_.emplace(std::move(info));
}

void
file_reader::add(const record &r)
{
	tick t;
	if (!now_.has_value() || !wanted_)
		return;
	std::string what = decode(r.payload, t);
	if (what.empty())
		what = now_->add(t);
	if (!what.empty()) {
		complain(what + "; the rest of the segment is left out");
		close(false);
		return;
	}
	reading_.ticks++;
	if (reading_.name)
		now_->name(reading_.name);
	const bool more = visitor_.at(*now_, t);
	now_->go_on(t);
	if (!more) {
		visitor_.end(*now_, true);
		wanted_ = false;
	}
}

void
file_reader::take(const record &r)
{
	switch (r.type) {
	case record_type::segment:
		begin(r);
		break;
	case record_type::tick:
		add(r);
		break;
	case record_type::end:
		close(true);
		break;
	}
}

// Another segment may follow, as in files that were joined.  /dev/zero and a
// sparse file have no end, so it is searched for within a bound.
bool
file_reader::pass_damage()
{
	if (bytes_.place() == 0 && !begins_segment(bytes_.now())) {
		complain("it is not a record of stackrecord");
		return false;
	}
	complain("it is damaged; the rest of the segment is left out");
	close(false);
	const std::uint64_t most = bytes_.place() + most_damage;
	while (bytes_.place() < most) {
		const std::size_t at = next_segment(bytes_.now());
		if (at != std::string_view::npos) {
			bytes_.pass(at);
			return true;
		}
		// The mark may begin in the last bytes.
		const std::size_t size = bytes_.now().size();
		bytes_.pass(size > 4 ? size - 4 : 0);
		const std::size_t left = bytes_.now().size();
		if (bytes_.fill(piece) != 0 || bytes_.now().size() <= left)
			return false;
	}
	complain("no segment follows; the rest of the file is not read");
	return false;
}

int
file_reader::read()
{
	int error = bytes_.open(path_);
	if (error != 0)
		return error;
	for (bool more = true; more;) {
		record r;
		switch (next(r, error)) {
		case found::record:
			take(r);
			bytes_.pass(head_size + r.payload.size());
			break;
		case found::damage:
			more = pass_damage();
			break;
		case found::part:
		case found::nothing:
			more = false;
		}
	}
	close(false);
	reading_.bytes += bytes_.place();
	return error;
}

} // namespace

int
read_file(const std::string &path, visitor &v, reading &r)
{
	return file_reader(path, v, r).read();
}

int
read_info(const std::string &path, segment_info &to)
{
	file_bytes bytes;
	record r;
	std::size_t need = head_size;
	if (const int error = bytes.open(path); error != 0)
		return error;
	for (std::size_t asked = 0; asked < need;) {
		asked = need;
		if (const int error = bytes.fill(need); error != 0)
			return error;
		if (first_record(bytes.now(), r, need) == found::record)
			return r.type == record_type::segment &&
			    decode(r.payload, to).empty() ? 0 : EINVAL;
	}
	return EINVAL;
}

} // namespace recording
