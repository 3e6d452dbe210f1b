// Keeps what each process has said of its machine, and walks its threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

#include <elf.h>

#include "layout.h"
#include "tables.h"
#include "walk.h"

namespace stack9::languages {
namespace java {
namespace {

// The layouts of processes that have the file.  One process may have spoilt its
// tables, so they are not another one's.
class layouts final : public process::attachment {
public:
	std::shared_ptr<const layout> of(const question &, const loaded &)
	    const;

private:
	struct known {
		pid_t				tid;
		std::uint64_t			start, mark;
		std::shared_ptr<const layout>	what;
	};
	static constexpr std::size_t most = 256;

	mutable std::mutex		lock_;
	mutable std::deque<known>	all_;
};

// NULL: it is not known, or not yet.
std::shared_ptr<const layout>
layouts::of(const question &q, const loaded &where) const
{
	const stack9_thread &who = q.space.thread();
	{
		const std::lock_guard hold(lock_);
		for (const known &k : all_)
			if (k.tid == who.tid && k.start == who.start &&
			    k.mark == where.mark)
				return k.what;
	}
	auto made = std::make_shared<layout>();
	if (!read_layout(q.words, where.backing, where.bias, where.mark, *made))
		return nullptr;
	const std::lock_guard hold(lock_);
	all_.push_front({who.tid, who.start, where.mark, made});
	if (all_.size() > most)
		all_.pop_back();
	return made;
}

} // namespace

// Native frames are replaced, so it comes before the languages whose frames
// stand at them.
class hotspot final : public runtime {
public:
	constexpr hotspot() noexcept : runtime("java", marks_, 10) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const layouts &all = kept_with<layouts>(where.backing, [] {
			return std::make_unique<layouts>();
		});
		if (where.backing.machine() != EM_X86_64) {
			to.note = "java: its frames are not known on this CPU";
			return;
		}
		const std::shared_ptr<const layout> l = all.of(q, where);
		if (l == nullptr)
			to.note = "java: its layout is not known";
		else
			java::walk(q, *l, to);
	}

	// All that counts of a thread that has gone on is on its stack.
	bool
	walk_event(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		if (q.native.depth != 0)
			walk(q, where, to);
		else if (where.backing.machine() == EM_X86_64)
			to.chain.kind = S9_CHAIN_ON_STACK;
		return true;
	}

private:
	static constexpr std::string_view marks_[] = {"gHotSpotVMStructs"};
};

} // namespace java

static constexpr java::hotspot the_runtime;
extern const runtime &runtime_java;
const runtime &runtime_java = the_runtime;

} // namespace stack9::languages
