// Names functions by a file's own symbols; if it is stripped, by its debug
// file's or those that are packed in it; and by the tables that runtimes of
// languages keep.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_names.h"

#include <memory>

#include "languages/languages.h"
#include "os/forked_lock.h"
#include "process/memory_want.h"
#include "process/written_over.h"

#include "debug_file.h"
#include "mini_symbols.h"

namespace stack9 {
namespace {

// Distinguishes an address of 32 bits from all others of its slot.
std::size_t
slot_of(std::uint64_t vaddr, std::size_t slots) noexcept
{
	return static_cast<std::size_t>(
	    vaddr * 0x9e3779b97f4a7c15 >> 32) % slots;
}

// The last lookup of a thread.  A file may end and another get its memory, but
// then its names have ended too.
struct met {
	const process::file	*file = nullptr;
	file_names		*names = nullptr;
	std::uint64_t		gone = 0;
};

constinit thread_local std::array<met, 16> met_here;
constinit std::atomic<std::uint64_t> gone{0};

class while_it_looks {
public:
	explicit while_it_looks(std::atomic<bool> &it) : it_(it) { it_ = true; }
	while_it_looks(const while_it_looks &) = delete;
	~while_it_looks() { it_ = false; }

private:
	std::atomic<bool>	&it_;
};

} // namespace

file_names &
file_names::of(process::file &f)
{
	const std::uint64_t now = gone.load(std::memory_order_acquire);
	met &m = met_here[f.id() % met_here.size()];
	if (m.file == &f && m.gone == now)
		return *m.names;
	std::lock_guard hold(f.lock());
	if (f.names == nullptr)
		f.names.reset(new file_names(f));
	m = {&f, static_cast<file_names *>(f.names.get()), now};
	return *m.names;
}

file_names::~file_names()
{
	gone.fetch_add(1, std::memory_order_release);
}

bool
file_names::leave_in_child() noexcept
{
	gone.fetch_add(1, std::memory_order_release);
	return free_in_child(lock_) || looks_;
}

file_names::file_names(process::file &f)
    : file_(f), own_(f.lock(), &f), debug_(f.lock())
{
	if (f.fd() >= 0)
		own_.open(f.fd());
	else if (f.is_elf())
		own_.open(f.elf());
}

bool
file_names::find(std::uint64_t vaddr, function_name &name)
{
	const bool narrow = vaddr >> 32 == 0;
	auto &slot = seen_[slot_of(vaddr, seen_.size())];
	const std::uint64_t seen = slot.load(std::memory_order_acquire);
	if (narrow && seen != 0 && seen >> 32 == vaddr)
		return get(where(static_cast<std::uint32_t>(seen)), name);
	const where is = search(vaddr);
	if (narrow)
		slot.store(vaddr << 32 | is.bits(), std::memory_order_release);
	return get(is, name);
}

// The file's own symbols come first: a debug file is not opened if they are
// enough.
file_names::where
file_names::search(std::uint64_t vaddr)
{
	where is(where::nowhere, 1);
	if (search(own_, where::own, vaddr, is) || own_.whole() ||
	    search(debug_symbols(), where::debug, vaddr, is))
		return is;
	std::uint32_t index;
	return ask_languages(vaddr, index) ? where(where::met, index) : is;
}

bool
file_names::search(file_symbols &in, where::source source,
    std::uint64_t vaddr, where &is)
{
	std::uint32_t index;
	symbol_name sym;
	switch (in.find(vaddr, index, sym)) {
	case file_symbols::found::in_table:
		is = where(source, index);
		return true;
	case file_symbols::found::in_file: {
		const std::lock_guard hold(lock_);
		is = where(where::met, keep({vaddr - sym.offset, sym.size,
		    sym.name}));
		return true;
	}
	default:
		return false;
	}
}

file_symbols &
file_names::debug_symbols()
{
	std::call_once(looked_, [this] {
		const while_it_looks looking(looks_);
		opened_elf debug;
		const process::memory_want want;
		if (process::is_written_over(file_))
			return debug_.open(opened_elf());
		if (file_.fd() < 0) {
			std::lock_guard hold(file_.lock());
			debug = open_debug_file(-1, file_.elf(),
			    file_.build_id(), file_.path());
			if (!debug)
				debug = open_mini_symbols(-1, file_.elf());
		} else {
			const unique_elf elf = open_elf(file_.fd());
			debug = open_debug_file(file_.fd(), elf.get(),
			    file_.build_id(), file_.path());
			if (!debug)
				debug = open_mini_symbols(file_.fd(),
				    elf.get());
		}
		want.check();
		debug_.open(std::move(debug));
	});
	return debug_;
}

// The lock is held.
std::uint32_t
file_names::keep(met_function f)
{
	met_.push_back(std::move(f));
	return static_cast<std::uint32_t>(met_.size() - 1);
}

// Functions that are known already are not read again.
bool
file_names::find_met(std::uint64_t vaddr, std::uint32_t &index)
{
	std::lock_guard hold(lock_);
	const auto next = met_by_start_.upper_bound(vaddr);
	if (next == met_by_start_.begin())
		return false;
	index = std::prev(next)->second;
	return vaddr - met_[index].start < met_[index].size;
}

bool
file_names::ask_languages(std::uint64_t vaddr, std::uint32_t &index)
{
	met_function f;
	if (find_met(vaddr, index))
		return true;
	if (process::is_written_over(file_) ||
	    !languages::name_of(file_, vaddr, f.name, f.start, f.size) ||
	    f.name.empty())
		return false;
	if (f.name.size() > UINT16_MAX)
		f.name.resize(UINT16_MAX);
	std::lock_guard hold(lock_);
	const std::uint64_t start = f.start;
	index = keep(std::move(f));
	met_by_start_.insert_or_assign(start, index);
	return true;
}

bool
file_names::get(where is, function_name &name)
{
	if (is.from() == where::nowhere)
		return false;
	if (is.from() == where::met) {
		std::lock_guard hold(lock_);
		const met_function &f = met_[is.index()];
		name = {f.name, f.start, f.size};
		return true;
	}
	const elf_table &table = (is.from() == where::own ? own_ :
	    debug_).table();
	const elf_table::entry &e = table.at(is.index());
	name = {table.name(e), e.start, e.size};
	return true;
}

} // namespace stack9
