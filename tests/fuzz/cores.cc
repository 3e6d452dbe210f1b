// Reads any bytes as a core file, walks the stacks of its threads, and makes a
// small core of what was read meanwhile.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <string>
#include <vector>

#include "cores/kept_pages.h"
#include "cores/mappings.h"
#include "cores/walk.h"
#include "cores/write_core.h"
#include "process/space.h"

#include "fuzz.h"

namespace {

namespace of_cores = stack9::cores;

// An answer of the process without rights is what was written there.
void
check_answer(const of_cores::contents &c)
{
	std::string bytes;
	of_cores::contents again;
	of_cores::write(c, bytes);
	if (!of_cores::read(bytes, again) ||
	    again.threads.size() != c.threads.size() ||
	    again.segments.size() != c.segments.size() ||
	    again.files.size() != c.files.size() || again.texts != c.texts)
		fail("the answer is not what was written");
	bytes.resize(bytes.size() / 2);
	of_cores::read(bytes, again);
}

void
check_order(const of_cores::contents &c)
{
	std::uint64_t end = 0;
	for (const auto &s : c.segments) {
		if (s.start < end || s.end <= s.start ||
		    s.kept > s.end - s.start)
			fail("segments overlap");
		end = s.end;
	}
}

// No file of the core is opened here: its paths are any.
void
walk_threads(const std::shared_ptr<of_cores::core_process> &p,
    of_cores::contents has)
{
	constexpr std::size_t some = 4;
	stack9_space space({1, 1, p->mark});
	std::vector<std::string> notes;
	of_cores::contents without = has;
	without.files.clear();
	p->take_files(std::move(without));
	space.take_snapshot(of_cores::mappings_of(*p, {}, notes));
	p->use(space);
	stack9::user_copy copy;
	std::vector<std::uintptr_t> pcs(64);
	for (std::size_t n = 0; n < has.threads.size() && n < some; n++) {
		stack9::stack_record rec{};
		rec.pcs = pcs.data();
		rec.max = 64;
		of_cores::walk_thread(*p, has.threads[n], copy, rec);
		if (rec.depth > rec.max)
			fail("more frames than there is room for");
	}
}

// The small core of anything is a core of the same threads.
void
check_dump(const of_cores::contents &c, of_cores::kept_pages &pages)
{
	if (c.about.is_32 != 0)
		return;
	pages.align(c);
	const std::string made = of_cores::small_core(c, pages);
	stack9::unique_fd fd(file_of(reinterpret_cast<const std::uint8_t *>(
	    made.data()), made.size()));
	of_cores::contents again;
	if (of_cores::parse(fd.get(), again) != nullptr ||
	    again.threads.size() != c.threads.size())
		fail("a small core has other threads");
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	stack9::unique_fd fd(file_of(data, size));
	of_cores::contents c;
	if (of_cores::parse(fd.get(), c) != nullptr)
		return 0;
	check_order(c);
	check_answer(c);
	auto pages = std::make_unique<of_cores::kept_pages>(
	    std::make_unique<of_cores::file_bytes>(std::move(fd)));
	of_cores::kept_pages &kept = *pages;
	const auto p = std::make_shared<of_cores::core_process>(
	    std::move(pages), of_cores::contents(c));
	of_cores::contents listed = c;
	of_cores::list_files(*p, listed);
	for (const auto &f : listed.files)
		of_cores::read_image(*p, f.start);
	walk_threads(p, c);
	check_dump(c, kept);
	return 0;
}
