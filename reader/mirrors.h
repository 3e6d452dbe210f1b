// Declares the record of what a reader has been sent: the spaces and the files
// that it has mirrors of.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "process/space.h"

#include "channel.h"

namespace stack9::sandbox {

class mirrors {
public:
	// The space ends.  May be called at any time, by any thread.
	void forget(const stack9_space &) noexcept;
	// Another reader knows nothing.
	void forget_all() noexcept;
	// Returns true if the reader knows these mappings.
	bool has(const stack9_space &) const noexcept;
	// Sends what the reader lacks of this space.  False: the reader is
	// gone.  Throws std::bad_alloc.
	bool send(stack9_space &, channel &, message &);

	static std::uint64_t
	number_of(const stack9_space &s) noexcept
	{
		return reinterpret_cast<std::uintptr_t>(&s);
	}

	// 0: the reader does not have it.
	std::uint32_t number_of(const std::shared_ptr<process::file> &)
	    const noexcept;

private:
	using file_ptr = std::weak_ptr<process::file>;

	bool send_file(const std::shared_ptr<process::file> &, channel &,
	    message &);
	void put_gone(message &);

	std::mutex			lock_;		// of ended_
	std::vector<std::uint64_t>	ended_;
	// The number of the snapshot that each space's mirror has.
	std::map<std::uint64_t, std::uint64_t> spaces_;
	std::map<file_ptr, std::uint32_t, std::owner_less<file_ptr>> files_;
	std::uint32_t			last_ = 0;
};

} // namespace stack9::sandbox
