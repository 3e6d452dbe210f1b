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
append(std::string &key, const T &value)
{
	char bytes[sizeof value];
	std::memcpy(bytes, &value, sizeof value);
	key.append(bytes, sizeof value);
}

void
append_frame(std::string &key, const user_place &p)
{
	// Without an ELF image the address itself is the identity.
	const bool in_file = p.where != nullptr && p.vaddr != 0;
	append(key, in_file ? p.where->file : ~0U);
	append(key, in_file ? p.vaddr : std::uint64_t{p.pc});
}

void
append_record(std::string &key, const stack9_record &rec, user_names &user)
{
	append(key, rec.side);
	append(key, rec.error);
	append(key, rec.why);
	append(key, rec.reason);	// static storage: the same if equal
	append(key, rec.flags);
	append(key, is_by_ptrace(rec));
	append(key, rec.tracer);
	append(key, rec.dropped);
	append(key, rec.depth);
	if (rec.flags & STACK9_TEXT)
		key.append(rec.text);
	else if (rec.side == STACK9_USER)
		for (std::uint32_t i = 0; i < rec.depth; i++)
			append_frame(key, user.find(rec.space, rec.pcs[i],
			    is_exact(rec, i)));
	else
		key.append(reinterpret_cast<const char *>(rec.pcs),
		    rec.depth * sizeof *rec.pcs);
}

member
member_of(const stacks &s)
{
	const stack9_record &who = s.who();
	return {who.thread.tid, who.thread.pid, who.comm, who.state, who.cpu};
}

} // namespace

void
groups::add(const stacks &s, user_names &user)
{
	std::string key;
	for (const stack9_record *rec : {s.kernel, s.user})
		if (rec != nullptr)
			append_record(key, *rec, user);
	group *&known = by_key_[std::move(key)];
	if (known == nullptr)
		known = &all_.emplace_back(group{kept_stacks(s), {}});
	known->members.push_back(member_of(s));
}

std::vector<group *>
groups::by_count()
{
	std::vector<group *> list;
	for (group &g : all_)
		list.push_back(&g);
	std::stable_sort(list.begin(), list.end(),
	    [](const group *a, const group *b) {
		    return a->members.size() > b->members.size();
	    });
	return list;
}

} // namespace stackprint
