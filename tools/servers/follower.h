// Sends the records of a directory while they are written.  The directory is
// the spool: while the server is away nothing more is kept than the ring keeps,
// and a file says how far the sending has come.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "address.h"
#include "uploader.h"

namespace servers {

class follower {
public:
	follower(const char *program, const std::string &dir,
	    const address &);

	// Starts the process that speaks with the server.  False: it has said
	// why not.
	bool	open();
	// Sends until the descriptor is at its end, and then what is left, as
	// far as the server takes it at once.  Returns an exit status.
	int	run(int until_fd);

private:
	bool	pass(bool last);
	bool	send_file(const std::string &name, bool is_written);
	void	drop_old(const std::vector<std::string> &names);
	void	report();
	int	retry_ms();
	void	say(const std::string &) const;
	void	read_place();
	void	write_place();

	const char	*program_;
	const std::string dir_;
	const address	to_;
	uploader	up_;
	const std::string place_file_;
	std::string	segment_;	// all before it were sent
	std::int64_t	minute_ = -1;	// and of it up to this one
	std::string	reported_;
	std::uint64_t	lost_ = 0, reported_lost_ = 0, reported_refused_ = 0;
	int		failures_ = 0;	// passes, one after the other
};

// Starts a process that follows.  It has no capabilities, and it ends by itself
// after wait_for().
class follower_process {
public:
	~follower_process();
	follower_process() = default;
	follower_process(const follower_process &) = delete;
	follower_process &operator=(const follower_process &) = delete;

	// Returns "" or what helps.
	std::string	start(const char *program, const std::string &dir,
			    const address &);
	// Lets it send what is left.  Returns its exit status.
	int	wait_for();

private:
	int	pid_ = 0, fd_ = -1;
};

} // namespace servers
