// Reads the ring that the programs on events write to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>

#include <bpf/libbpf.h>

#include "backends/linux-events/programs/event_record.h"
#include "backends/linux-events/programs/programs.h"

namespace stack9::events {

class record_consumer {
public:
	// Returns non-0 to end the reading; the record counts as read all the
	// same.
	virtual int consume(const void *record, std::size_t size) noexcept = 0;

protected:
	~record_consumer() = default;
};

class reader {
public:
	~reader();

	// 0; ENOMEM...
	int open(programs &, record_consumer &) noexcept;

	int fd() const noexcept;

	// Reads the records that are there and that come within the time, as
	// stack9_watch_read() does.  EBUSY: the consumer has called it.
	int read(int timeout_ms) noexcept;
	bool reading() const noexcept { return reading_; }
	// Waits end early while this descriptor can be read.
	void interrupt_by(int fd) noexcept { interrupt_ = fd; }
	bool interrupted() const noexcept;
	// For a child, whose memory does not have the ring.
	void abandon() noexcept;

	// Has the programs look into the map of chains from now on.
	void there_are_chains() noexcept;

	// Ends the watch: no event counts from now on.
	void end() noexcept;

private:
	void	forget_control() noexcept;
	struct ring_closer {
		void operator()(ring_buffer *r) const noexcept
		    { ring_buffer__free(r); }
	};

	int	drain(bool &any) noexcept;
	int	rest(int timeout_ms) noexcept;
	int	sleep(int timeout_ms) noexcept;
	int	wait(int timeout_ms) const noexcept;
	void	set_state(__u32) noexcept;
	static int	on_record(void *arg, void *record, std::size_t)
			    noexcept;

	std::unique_ptr<ring_buffer, ring_closer> ring_;
	s9_control_word	*control_ = nullptr;
	record_consumer	*consumer_ = nullptr;
	int		 stopped_ = 0;	// what the consumer returned
	unsigned int	 records_ = 0;	// by this call of drain()
	std::uint64_t	 until_ = 0;	// it ends then, at the latest
	bool		 busy_ = false;	// the last drain() found some
	bool		 reading_ = false;
	int		 interrupt_ = -1;
};

} // namespace stack9::events
