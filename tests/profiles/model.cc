// Makes profiles of frames that are written as text, and one of random frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "model.h"

#include <random>

#include <fmt/format.h>

using namespace profiles;

namespace {

frame
frame_of(const std::string &text)
{
	static const std::string letters = "kuipn";
	static const frame_kind kinds[] = {frame_kind::kernel, frame_kind::user,
		frame_kind::inlined, frame_kind::process, frame_kind::note};
	frame f;
	if (text == "--") {
		f.kind = frame_kind::delimiter;
		f.name = text;
		return f;
	}
	f.kind = kinds[letters.find(text.at(0))];
	f.name = text.substr(2);
	if (f.kind == frame_kind::kernel)
		f.module = "vmlinux";
	if (f.kind == frame_kind::user || f.kind == frame_kind::inlined)
		f.module = "/usr/sbin/nginx";
	return f;
}

std::uint32_t
index_of(profile &p, const std::string &text)
{
	const frame f = frame_of(text);
	std::uint32_t i = 0;
	while (i < p.frames.size() && (p.frames[i].kind != f.kind ||
	    p.frames[i].name != f.name))
		i++;
	if (i == p.frames.size())
		p.frames.push_back(f);
	return i;
}

profile
empty_profile(const std::string &event, const std::string &unit)
{
	profile p;
	p.event = event;
	p.unit = unit;
	p.began_ns = 1790000000123456789;	// 2026-09-21 14:13:20 UTC
	p.took_ns = 2500000000;
	return p;
}

} // namespace

void
add_stack(profile &p, const std::vector<std::string> &frames,
    std::uint64_t events, std::uint64_t weight, const std::string &comm,
    pid_t pid)
{
	stack s;
	for (const std::string &text : frames)
		s.frames.push_back(index_of(p, text));
	s.events = events;
	s.weight = weight;
	s.comm = comm;
	s.pid = pid;
	p.stacks.push_back(s);
}

profile
small()
{
	profile p = empty_profile("offcpu", "microseconds");
	p.note = "20 events, 4 stacks; 0 not kept";
	add_stack(p, {"u:main", "u:parse"}, 4, 50, "nginx", 17);
	add_stack(p, {"u:main", "u:parse", "i:scan"}, 5, 20, "nginx", 17);
	add_stack(p, {"u:main", "u:write", "--", "k:ksys_write"}, 10, 10,
	    "nginx", 17);
	add_stack(p, {"u:idle"}, 1, 20, "nginx", 17);
	std::uint64_t address = 0x400ff0;
	for (frame &f : p.frames) {
		address += 16;
		if (f.kind == frame_kind::kernel)
			continue;
		f.build_id = "abcdef0123456789";
		f.address = address;
		f.offset = 4;
		f.linkage = "_Z" + f.name;
		f.file = f.name + ".c";
		f.line = 42;
	}
	return p;
}

const std::vector<std::string> &
nasty_names()
{
	static const std::vector<std::string> names = [] {
		std::vector<std::string> all = {
			"a<b>& \"c\" 'd'", "]]>", "</title><script>x</script>",
			"<!-- -->", "a;b", "a b 17", "line\nline\r\n", " ", "",
			"nul", "tab\there", "\x1b[31mred", "\x7f",
			"\xff\xfe not UTF-8 \x80", "\xc3\xa9\xe4\xb8\xad"
			"\xe6\x96\x87 \xf0\x9f\x94\xa5", "\xef\xbf\xbf",
			"\xed\xa0\x80",
			"\xc0\xaf", "cut \xe4\xb8", "\\", "\\u0000", "{}", "%s",
			"${x}", "std::map<int, std::vector<char>>::operator[]",
			"0x1f", "main.(*T).run\xc2\xb7" "f", "$&", "&amp;",
			"__proto__", "\xe2\x80\xae" "evil", "\xc2\x9b" "31m",
			std::string(3000, 'x')};
		all[9] = std::string("nul\0nul", 7);
		for (int c = 1; c < 256; c++)
			all.push_back(std::string("byte ") +
			    static_cast<char>(c));
		return all;
	}();
	return names;
}

profile
nasty()
{
	profile p = empty_profile("u:/tmp/a b<&>;\"\n\xff:f", "events");
	p.note = "line 1 <&>\nline 2 \xff\x01 \xc3\xa9";
	std::uint64_t weight = 1000;	// none is left out of a graph
	for (const std::string &name : nasty_names()) {
		add_stack(p, {"u:" + name, "--", "k:" + name, "n:" + name},
		    weight, weight, name, 17);
		p.frames.back().module = name;
		p.frames.back().file = name;
		weight++;
	}
	return p;
}

profile
many(unsigned int stacks)
{
	profile p = empty_profile("cpu-clock:99", "samples");
	p.period_ns = 10101010;
	for (unsigned int i = 0; i < 20000; i++) {
		frame &f = p.frames.emplace_back();
		f.kind = i % 5 == 0 ? frame_kind::kernel : i % 7 == 0 ?
		    frame_kind::inlined : frame_kind::user;
		f.name = fmt::format("namespace{}::function_{}<int>", i % 37,
		    i / 4);
		f.module = fmt::format("/usr/lib/lib{}.so", i % 50);
		f.address = 0x7f0000000000 + 64 * i;
	}
	std::mt19937 random(1);
	for (unsigned int i = 0; i < stacks; i++) {
		stack &s = p.stacks.emplace_back();
		// A common way in, and then apart.
		for (unsigned int d = 0; d < 10; d++)
			s.frames.push_back(d * 100 + i % (1 + d * d));
		for (unsigned int d = 0; d < 20; d++)
			s.frames.push_back(random() % 20000);
		s.comm = fmt::format("worker-{}", i % 100);
		s.pid = static_cast<pid_t>(1000 + i % 100);
		s.events = s.weight = 1000000 / stacks +
		    (i < 1000000 % stacks);
	}
	return p;
}
