// Makes ticks by their number, so that a reader knows what each has to be.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "made.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tools/record/framing.h"
#include "tools/record/identity.h"
#include "tools/record/messages.h"
#include "tools/record/ring.h"

namespace made {
namespace {

constexpr unsigned int threads = 4;

// Frame 10 and each tenth after it is of a language.  The record of version 1
// ends before.
recording::frame
frame(unsigned int n)
{
	recording::frame f;
	f.name = fmt::format("function_{}", n);
	if (n % 10 == 9) {
		f.kind = recording::frame_kind::language;
		f.language = "python";
		f.file = fmt::format("/srv/file_{}.py", n);
		f.line = n;
		f.guessed = n % 20 == 9;
		return f;
	}
	f.kind = n % 2 ? recording::frame_kind::file :
	    recording::frame_kind::kernel;
	f.module = 1 + n % 2;
	f.place = 0x1000 + 16 * n;
	f.offset = n;
	return f;
}

// Stack n + 1 has frame n + 1 alone.
recording::stack
stack(unsigned int n)
{
	const recording::module modules[2] = {
	    {"vmlinux", "\x01\x02\x03", true, false},
	    {"/usr/bin/made", "\x04\x05", false, false}};
	std::vector<recording::identity> ids(n + 1);
	const recording::frame f = frame(n);
	ids[n] = recording::identity_of(f, f.module == 0 ? nullptr :
	    &modules[n % 2]);
	recording::stack s;
	s.side = 1 + n % 2;
	s.frames = {n + 1};
	s.note = n % 10 == 9 ? fmt::format("note {}", n) : "";
	s.id = recording::identity_of(s, ids);
	return s;
}

recording::change
change(std::uint32_t thread, unsigned int n)
{
	return {thread, {"SRD"[n % 3], static_cast<std::int32_t>(n % 5) - 1,
	    n + 1 - n % 2, n % 2 ? n + 1 : 0, n, 1000 + n}};
}

} // namespace

recording::segment_info
info()
{
	recording::segment_info i;
	i.host = "made";
	i.boot_ns = 1000;
	i.wall_minus_boot = -5;
	i.period_ns = 1;
	return i;
}

// A tick has a new frame, a new stack and a change of one thread.
recording::tick
tick(unsigned int n)
{
	recording::tick t;
	t.boot_ns = 1000 + n;
	t.wall_minus_boot = -5;
	t.cost_ns = n;
	t.frames.push_back(frame(n));
	t.stacks.push_back(stack(n));
	if (n == 0) {
		t.modules.push_back({"vmlinux", "\x01\x02\x03", true, false});
		t.modules.push_back({"/usr/bin/made", "\x04\x05", false,
		    false});
		t.processes.push_back({4711, "/system.slice/made.service"});
		t.bases.push_back({1, 2, 0x555500000000});
		for (std::uint32_t i = 1; i <= threads; i++) {
			t.threads.push_back({4710 + static_cast<pid_t>(i), 1,
			    77, fmt::format("made-{}", i)});
			t.changes.push_back(change(i, 0));
		}
		return t;
	}
	t.changes.push_back(change(1 + n % threads, n));
	if (n % 7 == 0)
		t.names.push_back({1, fmt::format("name-{}", n)});
	if (n == 5)
		t.gone.push_back(4);
	if (n == 3)
		t.waits.push_back({"mutex", 1, "futex", "a", "b", 4712});
	if (n >= 3 && n % 2)
		t.changes[0].now.wait = 1;
	if (n == 4)
		t.events = {{"cpu-clock:99", false}, {"offcpu", true}};
	if (n >= 4 && n % 3 == 1)
		t.counts = {{1, 2, 1, 2, n, 0}, {2, 3, 3, 0, 1, 5000 + n}};
	t.lost = n % 4;
	return t;
}

std::string
segment(unsigned int ticks)
{
	std::string bytes;
	put_record(bytes, recording::record_type::segment, encode(info()));
	for (unsigned int n = 0; n < ticks; n++)
		put_record(bytes, recording::record_type::tick,
		    encode(tick(n)));
	put_record(bytes, recording::record_type::end, {});
	return bytes;
}

std::string
directory::file(const std::string &bytes) const
{
	return scratch::file("one.s9", bytes);
}

std::vector<std::string>
directory::segments() const
{
	std::vector<std::string> names;
	recording::segments_in(path(), names);
	return names;
}

bool
seen::begin(const recording::segment_info &)
{
	ticks = 0;
	return true;
}

// The tables have taken what the tick brought, and the rest is there.
bool
seen::at(const recording::segment &s, const recording::tick &t)
{
	recording::tick was = tick(ticks);
	const recording::frame f = frame(ticks), &got = s.frames().back();
	all_are_right = all_are_right && f.name == got.name &&
	    f.place == got.place && f.module == got.module &&
	    f.language == got.language && f.file == got.file &&
	    f.line == got.line && f.guessed == got.guessed &&
	    s.stacks().back().note == was.stacks.back().note &&
	    s.stacks().back().id == was.stacks.back().id &&
	    s.threads().size() == threads;
	was.frames.clear();
	was.stacks.clear();
	was.modules.clear();
	was.processes.clear();
	was.threads.clear();
	was.bases.clear();
	was.waits.clear();
	was.events.clear();
	recording::tick left = t;
	left.frames.clear();
	left.stacks.clear();
	left.modules.clear();
	left.processes.clear();
	left.threads.clear();
	left.bases.clear();
	left.waits.clear();
	left.events.clear();
	all_are_right = all_are_right && encode(left) == encode(was);
	ticks++;
	return true;
}

void
seen::end(const recording::segment &, bool is_complete)
{
	ends++;
	complete += is_complete;
}

reading
read(const std::string &path)
{
	reading r;
	r.error = recording::read_file(path, r.what, r);
	return r;
}

} // namespace made
