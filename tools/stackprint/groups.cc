// Writes the identity of stacks as bytes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "groups.h"

#include <algorithm>
#include <cstring>

namespace stackprint {
namespace {

template <typename T>
void
append_bytes(std::string &key, const T &value)
{
	char bytes[sizeof value];
	std::memcpy(bytes, &value, sizeof value);
	key.append(bytes, sizeof value);
}

void
append_written(std::string &key, const stack9_written &w)
{
	append_bytes(key, w.index);
	append_bytes(key, w.flags);
	append_bytes(key, w.line);
	for (const char *text : {w.language, w.file, w.name})
		key.append(text) += '\n';
}

void
append_stack(std::string &key, const stack &s, names &all)
{
	append_bytes(key, s.side);
	append_bytes(key, s.error);
	append_bytes(key, s.why);
	key.append(s.reason) += '\n';
	append_bytes(key, s.flags);
	append_bytes(key, is_by_ptrace(s));
	append_bytes(key, s.dropped);
	append_bytes(key, s.depth());
	for (std::uint32_t i = 0; i < s.pcs.size(); i++)
		append_bytes(key, frame_identity(s, i, all));
	for (const char *const line : s.text)
		key.append(line) += '\n';
	for (const stack9_written &each : s.written)
		append_written(key, each);
}

} // namespace

std::pair<std::uint64_t, std::uint64_t>
frame_identity(const stack &s, std::uint32_t i, names &all)
{
	if (s.side != STACK9_USER)
		return {0, s.pcs[i]};
	// Without an ELF image the address itself is the identity.
	const place &p = all.find(s, i);
	const bool in_file = p.where != nullptr &&
	    (p.own().flags & frame_in_file) != 0;
	return in_file ? std::pair{std::uint64_t{p.where->file},
	    p.own().address} :
	    std::pair{~std::uint64_t{0}, p.pc};
}

std::string
groups::identity(const sample &s, names &all)
{
	std::string key;
	append_bytes(key, s.tracer);
	for (const std::optional<stack> *const side : {&s.kernel, &s.user})
		if (side->has_value())
			append_stack(key, **side, all);
	return key;
}

void
groups::add(const sample_ptr &s, names &all)
{
	group *&known = by_key_[identity(*s, all)];
	if (known == nullptr)
		known = &all_.emplace_back(group{kept(s), {}});
	known->members.push_back(*s);
}

std::vector<group *>
groups::by_count(pid_t first)
{
	const auto has_first = [first](const group *g) {
		return std::any_of(g->members.begin(), g->members.end(),
		    [first](const thread_facts &m) {
			    return m.thread.tid == first;
		    });
	};
	std::vector<group *> list;
	for (group &g : all_)
		list.push_back(&g);
	std::stable_sort(list.begin(), list.end(),
	    [](const group *a, const group *b) {
		    return a->members.size() > b->members.size();
	    });
	if (first != 0)
		std::stable_partition(list.begin(), list.end(), has_first);
	return list;
}

} // namespace stackprint
