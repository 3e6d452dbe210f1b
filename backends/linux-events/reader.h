// The reader's end of the ring.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>

#include <bpf/libbpf.h>

#include "event_record.h"
#include "programs.h"

namespace stack9::events {

class record_taker {
public:
	// Non-0 ends the reading; what was given is done with all the same.
	virtual int take(const void *record, std::size_t size) noexcept = 0;

protected:
	~record_taker() = default;
};

class reader {
public:
	~reader();

	// 0; ENOMEM...
	int open(programs &, record_taker &) noexcept;

	int fd() const noexcept;

	// What is there, and what comes within the time: as
	// stack9_watch_read().  EBUSY: by what the taker calls.
	int read(int timeout_ms) noexcept;
	bool reading() const noexcept { return reading_; }
	// In a child, whose memory has none of it.
	void forsake() noexcept;

	// No event counts from now on.
	void end() noexcept;

private:
	void	forget_control() noexcept;
	struct ring_closer {
		void operator()(ring_buffer *r) const noexcept
		    { ring_buffer__free(r); }
	};

	int	consume(bool &any) noexcept;
	int	rest(int timeout_ms) noexcept;
	int	sleep(int timeout_ms) noexcept;
	void	say(__u32 state) noexcept;
	static int	taken(void *arg, void *record, std::size_t) noexcept;

	std::unique_ptr<ring_buffer, ring_closer> ring_;
	s9_control_word	*control_ = nullptr;
	record_taker	*taker_ = nullptr;
	int		 stopped_ = 0;	// what the taker returned
	unsigned int	 taken_ = 0;
	bool		 busy_ = false;	// the last look found something
	bool		 reading_ = false;
};

} // namespace stack9::events
