// Holds a descriptor in the control message of a socket.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>

#include <sys/socket.h>

#include "unique_fd.h"

namespace stack9 {

struct passed_descriptor {
	alignas(cmsghdr) char	bytes[CMSG_SPACE(sizeof(int))]{};

	void
	attach(msghdr &to, int fd) noexcept
	{
		make_room(to);
		cmsghdr *const c = CMSG_FIRSTHDR(&to);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof fd);
		std::memcpy(CMSG_DATA(c), &fd, sizeof fd);
	}
	void
	make_room(msghdr &to) noexcept
	{
		to.msg_control = bytes;
		to.msg_controllen = sizeof bytes;
	}
	// Takes the descriptor of a message that has come, if it has one.
	static unique_fd
	of(msghdr &from) noexcept
	{
		const cmsghdr *const c = CMSG_FIRSTHDR(&from);
		int fd = -1;
		if (c != nullptr && c->cmsg_level == SOL_SOCKET &&
		    c->cmsg_type == SCM_RIGHTS &&
		    c->cmsg_len == CMSG_LEN(sizeof fd))
			std::memcpy(&fd, CMSG_DATA(c), sizeof fd);
		return unique_fd(fd);
	}
};

} // namespace stack9
