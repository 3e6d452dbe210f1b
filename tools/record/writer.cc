// Writes each tick by one write(2), at the end of the file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "writer.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "framing.h"
#include "messages.h"

namespace recording {

// A ring of few bytes has smaller segments, so that the oldest one is not most
// of it.
writer::writer(ring &r, const ring_limits &keep, const segment_limits &most)
    : ring_(r), keep_(keep), most_{keep.bytes == 0 ? most.bytes :
      std::min(most.bytes, std::max<std::uint64_t>(keep.bytes / 8, 1)),
      keep.seconds == 0 ? most.ns :
      std::min(most.ns, keep.seconds * 1'000'000'000 / 8)}
{
}

writer::~writer()
{
	end();
}

bool
writer::goes_on(std::uint64_t boot_ns) const
{
	return begun_ && size_ < most_.bytes && boot_ns - info_.boot_ns <
	    most_.ns;
}

void
writer::begin(const segment_info &info)
{
	end();
	info_ = info;
	begun_ = true;
	size_ = 0;
}

int
writer::open()
{
	ring_.shrink(keep_, most_.bytes);
	fd_ = ring_.create(static_cast<std::int64_t>(info_.boot_ns) +
	    info_.wall_minus_boot);
	if (fd_ < 0)
		return errno;
	segments_++;
	put_record(buffer_, record_type::segment, encode(info_));
	return 0;
}

// A part that was written is taken back, so that what is appended later can be
// read.
int
writer::append(const std::string &bytes)
{
	std::size_t done = 0;
	while (done < bytes.size()) {
		const ssize_t n = write(fd_, bytes.data() + done,
		    bytes.size() - done);
		if (n > 0) {
			done += static_cast<std::size_t>(n);
		} else if (n == 0 || errno != EINTR) {
			const int error = n == 0 ? EIO : errno;
			(void)!ftruncate(fd_, static_cast<off_t>(size_));
			return error;
		}
	}
	size_ += done;
	all_bytes_ += done;
	return 0;
}

void
writer::give_up()
{
	if (fd_ >= 0)
		close(fd_);
	if (fd_ >= 0 && size_ == 0) {
		ring_.forget();
		segments_--;
	}
	fd_ = -1;
	begun_ = false;
}

int
writer::put(const tick &t)
{
	buffer_.clear();
	int error = fd_ < 0 ? open() : 0;
	if (error == 0) {
		put_record(buffer_, record_type::tick, encode(t));
		error = append(buffer_);
	}
	if (error == 0)
		return 0;
	give_up();
	if (error == ENOSPC || error == EDQUOT)
		ring_.delete_oldest();
	return error;
}

void
writer::end()
{
	if (fd_ >= 0 && begun_) {
		buffer_.clear();
		put_record(buffer_, record_type::end, {});
		append(buffer_);
		fdatasync(fd_);
	}
	give_up();
}

} // namespace recording
