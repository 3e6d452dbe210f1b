// Keeps what each process has said of its machine, and walks its threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <mutex>
#include <utility>

#include <elf.h>

#include "languages/of_process.h"

#include "layout.h"
#include "tables.h"
#include "walk.h"

namespace stack9::languages {
namespace java {
namespace {

// The layout of a process that has the file.  One process may have spoilt its
// tables, so they are not another one's.
class kept_layout {
public:
	// NULL: it is not known, or not yet.
	std::shared_ptr<const layout>
	get(const question &q, const loaded &where)
	{
		const std::lock_guard hold(lock_);
		if (what_ != nullptr && mark_ == where.mark)
			return what_;
		auto made = std::make_shared<layout>();
		if (!read_layout(q.words, where.backing, where.bias, where.mark,
		    *made))
			return nullptr;
		mark_ = where.mark;
		return what_ = std::move(made);
	}

private:
	std::mutex			lock_;
	std::uint64_t			mark_ = 0;
	std::shared_ptr<const layout>	what_;
};

} // namespace

// Native frames are replaced, so it comes before the languages that put their
// frames beside them.
class hotspot final : public runtime {
public:
	constexpr hotspot() noexcept : runtime("java", marks_, 10) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		if (where.backing.machine() != EM_X86_64) {
			to.note = "java: its frames are not known on this CPU";
			return;
		}
		const std::shared_ptr<const layout> l =
		    kept_with<of_process<kept_layout>>(where.backing).get(
		    q.space.thread())->get(q, where);
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
