// Calls write(2) until all of the text is out.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "destination.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "screen.h"

namespace events {

destination::destination(std::string file) : file_(std::move(file))
{
	if (file_.empty())
		return;
	fd_ = open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC,
	    0666);
	error_ = fd_ < 0 ? errno : 0;
}

destination::~destination()
{
	if (!file_.empty() && fd_ >= 0)
		close(fd_);
}

// Only a regular file can be emptied.
void
destination::begin()
{
	if (!file_.empty() && error_ == 0 && ftruncate(fd_, 0) != 0 &&
	    errno != EINVAL)
		error_ = errno;
}

bool
destination::is_terminal() const
{
	return isatty(fd_);
}

void
destination::flush()
{
	const char *at = buffer_.data();
	const char *const end = at + buffer_.size();
	while (at < end && error_ == 0) {
		const ssize_t n = write(fd_, at,
		    static_cast<std::size_t>(end - at));
		if (n >= 0)
			at += n;
		else if (errno != EINTR)
			error_ = errno;
	}
	buffer_.clear();
}

void
destination::put(std::string_view text)
{
	buffer_.append(text);
	full();
}

std::string
destination::complaint() const
{
	if (error_ == 0 || error_ == EPIPE)
		return "";
	return (file_.empty() ? "standard output" : file_) + ": " +
	    std::strerror(error_);
}

bool
is_good(const destination &d, screen &s)
{
	if (!d.complaint().empty())
		s.message("{}", d.complaint());
	return d.good();
}

} // namespace events
