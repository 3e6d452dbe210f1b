// Finds the waits of samples and puts them into words.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "waits.h"

#include <string_view>

#include "printer.h"
#include "state_times.h"
#include "tools/lib/json.h"
#include "tools/lib/modules.h"
#include "tools/lib/proc.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

std::string
call_text(const found_wait &w)
{
	std::string text = w.call.empty() ? fmt::format("system call {}",
	    w.wait.number) : w.call;
	text += "(";
	for (std::uint32_t i = 0; i < w.wait.args_used; i++)
		text += fmt::format("{}{:#x}", i ? ", " : "", w.wait.args[i]);
	return text + ")";
}

std::string
time_text(std::uint64_t ns)
{
	return ns < 10'000'000'000 ? fmt::format("{:.1f} s",
	    static_cast<double>(ns) / 1e9) : fmt::format("{} s",
	    ns / 1'000'000'000);
}

const char *
role_text(int role, std::uint32_t flags)
{
	switch (role) {
	case STACK9_ROLE_OWNER:
		return "held by ";
	case STACK9_ROLE_TARGET:
		return "of ";
	case STACK9_ROLE_TRACER:
		return "which is ";
	}
	return (flags & STACK9_HOLDER_PROCESS) != 0 ?
	    "whose other end is open in " : "by ";
}

const char *
role_word(int role)
{
	static constexpr const char *words[] = {"", "owner", "target",
	    "tracer", "peer"};
	return role > 0 && role < 5 ? words[role] : "";
}

} // namespace

const found_wait *
found_waits::of(pid_t tid) const
{
	const auto it = by_tid_.find(tid);
	return it == by_tid_.end() || it->second >= all_.size() ? nullptr :
	    &all_[it->second];
}

// Everybody may read the name of one that was not captured.
std::string
found_waits::name_of(pid_t tid) const
{
	const found_wait *const w = of(tid);
	return w != nullptr ? thread_names(w->sample->comm,
	    w->sample->name.c_str()) :
	    printable(read_file(fmt::format("/proc/{}/comm", tid)));
}

std::string
found_waits::holder_text(const stack9_holder &h) const
{
	const bool process = (h.flags & STACK9_HOLDER_PROCESS) != 0;
	const std::string name = name_of(h.thread.tid);
	std::string text = fmt::format("{} {}", process ? "pid" : "tid",
	    h.thread.tid);
	if (!name.empty())
		text += fmt::format(" ({})", name);
	return text;
}

std::string
found_waits::words(const found_wait &w, bool timed) const
{
	const stack9_wait &it = w.wait;
	if (it.kind == STACK9_WAIT_NONE || w.has_moved() ||
	    (it.kind == STACK9_WAIT_UNKNOWN && only_known_))
		return {};
	if (it.kind == STACK9_WAIT_UNKNOWN)
		return "something unknown: " + w.reason;
	// Its address says less than the thread that is to end.
	const bool joins = it.kind == STACK9_WAIT_JOIN && !w.holders.empty();
	std::string text = it.kind == STACK9_WAIT_SYSCALL ? call_text(w) :
	    joins ? "the end" : stack9_wait_text(it.kind);
	if (it.fd >= 0)
		text += fmt::format(" {}", it.fd);
	const bool polls = it.kind == STACK9_WAIT_POLL ||
	    it.kind == STACK9_WAIT_EPOLL;
	if (!w.object.empty() && !joins)
		text += (it.fd >= 0 && !polls ? " " : ": ") +
		    printable(w.object);
	if (it.address != 0 && !joins)
		text += fmt::format(" {:#x}", it.address);
	// The place, and why there is no holder, share their brackets.
	const bool has_place = !w.place.empty() && !joins;
	if (has_place)
		text += " (" + printable(w.place) + (w.reason.empty() ? "" :
		    "; " + w.reason) + ")";
	constexpr std::size_t most = 4;
	for (std::size_t i = 0; i < w.holders.size() && i < most; i++) {
		const stack9_holder &h = w.holders[i];
		const bool itself = (h.flags & STACK9_HOLDER_PROCESS) == 0 &&
		    h.thread.tid == w.sample->thread.tid;
		text += i != 0 && h.role == w.holders[i - 1].role ? ", " :
		    polls && w.is_woken_by_any() ?
		    "; may be woken by any of " :
		    polls ? "; their other ends are open in " :
		    it.kind == STACK9_WAIT_USERFAULTFD ?
		    " whose faults are answered by " :
		    std::string(" ") + role_text(h.role, h.flags);
		text += holder_text(h) + (itself ? ", itself" : "");
	}
	if (w.holders.size() > most)
		text += fmt::format(" and {} more", w.holders.size() - most);
	if (polls && w.is_woken_by_any() &&
	    (it.flags & STACK9_WAIT_BY_OTHERS) != 0)
		text += ", and others";
	if (timed && it.left_ns != 0)
		text += ", " + time_text(it.left_ns) + " left";
	else if (timed && (it.flags & STACK9_WAIT_TIMED) != 0 &&
	    it.kind != STACK9_WAIT_SLEEP)
		text += ", with a timeout";
	if (!w.reason.empty() && !has_place)
		text += " (" + w.reason + ")";
	return text;
}

// The kernel's own numbers of the state are better than the clock of a CPU.
std::string
found_waits::timed_text(const found_wait &w) const
{
	const std::string what = text(w);
	const std::string time = what.empty() || times_ == nullptr ? "" :
	    times_->text(*w.sample);
	if (!time.empty() || what.empty() || w.wait.idle_ns < 1'000'000'000)
		return what + time;
	return what + ", for " + time_text(w.wait.idle_ns);
}

std::string
wait_object(const found_wait &w)
{
	const stack9_wait &it = w.wait;
	std::string text = "{" + json_member("kind", stack9_wait_text(it.kind));
	if (!w.call.empty())
		text += "," + json_member("call", w.call);
	if (it.number >= 0) {
		text += fmt::format(",\"number\":{},\"args\":[", it.number);
		for (std::uint32_t i = 0; i < it.args_used; i++)
			text += fmt::format("{}\"{:#x}\"", i ? "," : "",
			    it.args[i]);
		text += "]";
	}
	if (it.address != 0)
		text += "," + json_address("address", it.address);
	if (!w.place.empty())
		text += "," + json_member("place", w.place);
	if (it.fd >= 0)
		text += fmt::format(",\"fd\":{}", it.fd);
	if (!w.object.empty())
		text += "," + json_member("object", w.object);
	if (!w.reason.empty())
		text += "," + json_member("reason", w.reason);
	if (w.has_moved())
		text += ",\"moved\":true";
	if ((it.flags & STACK9_WAIT_TIMED) != 0)
		text += ",\"timed\":true";
	if (it.left_ns != 0)
		text += fmt::format(",\"left_ns\":{}", it.left_ns);
	if (it.idle_ns != 0)
		text += fmt::format(",\"idle_ns\":{}", it.idle_ns);
	text += ",\"holders\":[";
	for (std::size_t i = 0; i < w.holders.size(); i++) {
		const stack9_holder &h = w.holders[i];
		text += fmt::format("{}{{\"tid\":{},\"pid\":{},\"role\":"
		    "\"{}\"}}", i ? "," : "", h.thread.tid, h.thread.pid,
		    role_word(h.role));
	}
	return text + "]}";
}

void
found_waits::put_line(fmt::memory_buffer &out, const sample &s) const
{
	const found_wait *const w = of(s.thread.tid);
	// The header has the time, if that is known.
	const std::string line = w == nullptr ? std::string() :
	    times_ != nullptr ? text(*w) : timed_text(*w);
	if (!line.empty())
		append(out, "  waits   for {}\n", line);
	else if (w != nullptr && w->has_moved() && !only_known_)
		append(out, "  waits   moved meanwhile\n");
}

void
found_waits::put_member(fmt::memory_buffer &out, const sample &s) const
{
	const found_wait *const w = of(s.thread.tid);
	if (w != nullptr)
		append_text(out, ",\"wait\":" + wait_object(*w));
}

} // namespace stackprint
