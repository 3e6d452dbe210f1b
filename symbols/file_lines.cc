// Opens a file's debug information once, reads each of its units once, and
// keeps the levels of each address that was asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_lines.h"

#include "budgets/left_out.h"
#include "languages/languages.h"
#include "os/forked_lock.h"
#include "os/strangers_file.h"
#include "process/memory_want.h"
#include "process/written_over.h"

namespace stack9 {
namespace {

constexpr std::size_t most_addresses = 1 << 16;	// addresses

} // namespace

file_lines &
file_lines::of(process::file &f)
{
	std::lock_guard hold(f.lock());
	if (f.lines == nullptr)
		f.lines.reset(new file_lines(f));
	return static_cast<file_lines &>(*f.lines);
}

bool
file_lines::leave_in_child() noexcept
{
	return free_in_child(lock_);
}

source_levels
file_lines::find(std::uint64_t vaddr, bool fetch)
{
	std::lock_guard hold(lock_);
	open(fetch);
	if (const auto at = seen_.find(vaddr); at != seen_.end())
		return at->second;
	const source_levels levels = look(vaddr);
	levels_ += levels->size();
	if (seen_.size() >= most_addresses ||
	    budgets::exceeds(levels_, budgets::source_levels)) {
		seen_.clear();
		levels_ = levels->size();
	}
	seen_.emplace(vaddr, levels);
	return levels;
}

// Asks the servers once, if the files on this machine were not enough.
void
file_lines::open(bool fetch)
{
	if (opened_ && (!fetch || fetched_ || dwarf_))
		return;
	units_.reset();
	const process::memory_want want;
	dwarf_ = open_dwarf(file_, fetch);
	want.check();
	if (process::is_written_over(file_))
		dwarf_ = opened_dwarf();
	if (dwarf_) {
		struct stat st{};
		work_ = debug_work(dwarf_.share.size());
		(void)stat_now(dwarf_.file.fd.get(), st);
		work_.has_on_disk(static_cast<std::uint64_t>(st.st_blocks) *
		    512);
		units_ = std::make_unique<dwarf_units>(dwarf_.dwarf.get(),
		    work_);
		seen_.clear();
	}
	// Without memory this is not reached, and the next call tries again.
	opened_ = true;
	fetched_ |= fetch;
}

source_levels
file_lines::look(std::uint64_t vaddr)
{
	auto levels = std::make_shared<std::vector<source_level>>();
	if (units_ != nullptr)
		look_in_units(vaddr, *levels);
	source_level its;
	if (levels->empty() && ask_languages(vaddr, its))
		levels->push_back(its);
	return levels;
}

void
file_lines::look_in_units(std::uint64_t vaddr, std::vector<source_level> &to)
{
	Dwarf_Off unit;
	work_.begin();
	if (!work_.is_over() && units_->find(vaddr, unit))
		to = read_.try_emplace(unit, dwarf_, unit, work_).first->
		    second.levels(vaddr);
	work_.end();
	if (work_.is_over())
		leave_out(budgets::left_out::debug_time);
}

// Uses the tables that a language's runtime keeps in a stripped program, too.
// Their texts live as long as the file, because a level may still be read after
// it was dropped here.
bool
file_lines::ask_languages(std::uint64_t vaddr, source_level &level)
{
	std::string name, path;
	unsigned int line;
	if (process::is_written_over(file_) ||
	    !languages::line_of(file_, vaddr, name, path, line))
		return false;
	level = {language_texts_.insert(std::move(name)).first->c_str(),
	    language_texts_.insert(std::move(path)).first->c_str(),
	    static_cast<int>(line), 0, false};
	return true;
}

} // namespace stack9
