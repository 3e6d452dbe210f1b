// Reads the ring.  The first record after a quiet time wakes the reader.  While
// records keep coming, the reader polls every few milliseconds, and no program
// is interrupted to wake it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "reader.h"

#include <algorithm>
#include <atomic>
#include <cerrno>

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/scoped.h"
#include "os/clocks.h"

namespace stack9::events {
namespace {

constexpr int rest_ms = 8, least_rest_ms = 1;
constexpr int stop_reading = -1;	// makes libbpf end
// libbpf would go on as long as records come, and that may be for ever.
constexpr unsigned int most_at_once = 65536;

// A call that reads may not go on much longer, because its caller has a time to
// end at.  One record may take a millisecond.
constexpr std::uint64_t longest_ns = 50'000'000;
constexpr unsigned int between_looks = 32;

std::size_t
page_size() noexcept
{
	return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

reader::~reader()
{
	forget_control();
}

void
reader::forget_control() noexcept
{
	if (control_ != nullptr)
		munmap(control_, page_size());
	control_ = nullptr;
}

int
reader::open(programs &from, record_consumer &consumer) noexcept
{
	const bpf::silence_libbpf no_prints;
	consumer_ = &consumer;
	forget_control();
	void *const at = mmap(nullptr, page_size(), PROT_READ | PROT_WRITE,
	    MAP_SHARED, from.map(map_id::control), 0);
	if (at == MAP_FAILED)
		return errno;
	control_ = static_cast<s9_control_word *>(at);
	ring_.reset(ring_buffer__new(from.map(map_id::ring), on_record, this,
	    nullptr));
	if (ring_ == nullptr)
		return errno;
	set_state(S9_SLEEPS);
	return 0;
}

void
reader::there_are_chains() noexcept
{
	std::atomic_ref<__u32>(control_->chains).store(1);
}

void
reader::end() noexcept
{
	std::atomic_ref<__u32>(control_->off).store(1);
	// The store comes before any test which programs are at an event.
	std::atomic_thread_fence(std::memory_order_seq_cst);
}

int
reader::fd() const noexcept
{
	return ring_buffer__epoll_fd(ring_.get());
}

// The record counts as read in any case.
int
reader::on_record(void *arg, void *record, std::size_t size) noexcept
{
	reader &r = *static_cast<reader *>(arg);
	r.records_++;
	r.stopped_ = r.consumer_->consume(record, size);
	return r.stopped_ == 0 && r.records_ < most_at_once &&
	    (r.records_ % between_looks != 0 || boot_ns() < r.until_) ? 0 :
	    stop_reading;
}

int
reader::drain(bool &any) noexcept
{
	records_ = 0;
	stopped_ = 0;
	until_ = boot_ns() + longest_ns;
	reading_ = true;
	const int got = ring_buffer__consume(ring_.get());
	reading_ = false;
	any = records_ > 0;
	if (stopped_ != 0)
		return stopped_;
	return got < 0 && got != stop_reading ? -got : 0;
}

// poll(2) passes over a descriptor of -1.
int
reader::wait(int timeout_ms) const noexcept
{
	pollfd p[] = {{fd(), POLLIN, 0}, {interrupt_, POLLIN, 0}};
	return poll(p, 2, timeout_ms);
}

bool
reader::interrupted() const noexcept
{
	pollfd p{interrupt_, POLLIN, 0};
	return interrupt_ >= 0 && poll(&p, 1, 0) == 1;
}

// Waits for more records to come.  The work on the last ones may have made new
// ones.  These must not keep it going for ever.
int
reader::rest(int timeout_ms) noexcept
{
	const int ms = timeout_ms < 0 ? rest_ms : std::min(timeout_ms, rest_ms);
	if (ms == 0)
		return 0;
	set_state(S9_RESTS);
	pollfd p{interrupt_, POLLIN, 0};
	int n = poll(&p, 1, std::min(ms, least_rest_ms));
	if (n == 0 && ms > least_rest_ms)
		n = wait(ms - least_rest_ms);
	set_state(0);
	return n >= 0 ? 0 : EINTR;
}

void
reader::set_state(__u32 state) noexcept
{
	std::atomic_ref<__u32>(control_->sleeping).store(state);
}

// A record that came before sleeping was set has not woken the reader: so the
// ring is drained again.
int
reader::sleep(int timeout_ms) noexcept
{
	set_state(S9_SLEEPS);
	bool any = false;
	const int error = drain(any);
	if (error != 0 || any) {
		busy_ = any;
		return error;
	}
	if (const int n = wait(timeout_ms); n <= 0)
		return n == 0 ? EAGAIN : EINTR;
	const int late = drain(any);
	busy_ = any;
	return late != 0 || any ? late : EAGAIN;
}

void
reader::abandon() noexcept
{
	ring_.release();
	control_ = nullptr;
}

// A caller that does not wait will poll the descriptor, and has to be woken.
int
reader::read(int timeout_ms) noexcept
{
	if (reading_)
		return EBUSY;
	if (timeout_ms == 0) {
		bool first = false;
		const int error = drain(first);
		const int then = error != 0 ? error : sleep(0);
		return then == EAGAIN && first ? 0 : then;
	}
	if (busy_)
		if (const int error = rest(timeout_ms); error != 0)
			return error;
	bool any = false;
	const int error = drain(any);
	busy_ = any;
	if (error != 0 || any)
		return error;
	return sleep(timeout_ms);
}

} // namespace stack9::events
