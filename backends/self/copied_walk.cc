// libunwind over a snapshot: an address space of our own whose memory is the
// copied stack, and whose unwind tables are found by _dl_find_object(), which,
// unlike dl_iterate_phdr(3), never waits for the loader's lock: the thread
// that is looked at may hold it.
//
// Nothing is cached from one walk to the next, because libunwind cannot tell
// that a library was replaced by another at the same address.  One walk at a
// time, and none while the process forks: libunwind's pool of records has a
// lock of its own, which a child would inherit locked.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "copied_walk.h"

#include <libunwind.h>

#include <dlfcn.h>
#include <pthread.h>

#include "memory.h"

// Exported for debuggers that bring their own way to find the tables (perf is
// one), and declared in no header.
extern "C" int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t, unw_word_t,
    unw_dyn_info_t *, unw_proc_info_t *, int, void *);

namespace stack9::self {
namespace {

static_assert(register_pc == UNW_TDEP_IP && register_sp == UNW_TDEP_SP);

// What the accessors of one walk share.
struct context {
	explicit context(const snapshot &s) noexcept : copy(s), words(s) {}

	const snapshot	&copy;
	memory		 words;
	bool		 no_table = false;	// nothing describes a pc
	bool		 no_register = false;	// one was needed, and unknown
};

int
access_mem(unw_addr_space_t, unw_word_t at, unw_word_t *value, int write,
    void *arg)
{
	context &c = *static_cast<context *>(arg);
	std::uintptr_t word;
	if (write || !c.words.word(at, word))
		return -UNW_EINVAL;
	*value = word;
	return 0;
}

int
access_reg(unw_addr_space_t, unw_regnum_t number, unw_word_t *value, int write,
    void *arg)
{
	context &c = *static_cast<context *>(arg);
	if (write)
		return -UNW_EREADONLYREG;
	if (!c.copy.knows(number)) {
		c.no_register = true;
		return -UNW_EBADREG;
	}
	*value = c.copy.registers[static_cast<std::size_t>(number)];
	return 0;
}

// The binary search table of .eh_frame_hdr, in the one encoding that linkers
// write: 4-byte offsets, from the header for the table.
bool
table_of(context &c, unw_word_t ip, unw_dyn_info_t &table)
{
	dl_find_object object;
	std::uintptr_t head, count;
	if (_dl_find_object(reinterpret_cast<void *>(ip), &object) != 0 ||
	    object.dlfo_eh_frame == nullptr)
		return false;
	const auto at = reinterpret_cast<std::uintptr_t>(object.dlfo_eh_frame);
	if (!c.words.word(at, head) || !c.words.word(at + 8, count) ||
	    (head & 0xffff00ff) != 0x3b030001)
		return false;
	table = {};
	table.format = UNW_INFO_FORMAT_REMOTE_TABLE;
	table.start_ip = reinterpret_cast<unw_word_t>(object.dlfo_map_start);
	table.end_ip = reinterpret_cast<unw_word_t>(object.dlfo_map_end);
	table.u.rti.segbase = at;
	table.u.rti.table_data = at + 12;
	// In words; an entry is one.
	table.u.rti.table_len = static_cast<std::uint32_t>(count);
	return true;
}

int
find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *info,
    int need_unwind_info, void *arg)
{
	context &c = *static_cast<context *>(arg);
	unw_dyn_info_t table;
	int error = -UNW_ENOINFO;
	if (table_of(c, ip, table))
		error = UNW_OBJ(dwarf_search_unwind_table)(as, ip, &table, info,
		    need_unwind_info, arg);
	if (error < 0)
		c.no_table = true;
	return error;
}

// Records go back to libunwind's pool by itself.
void
put_unwind_info(unw_addr_space_t, unw_proc_info_t *, void *)
{
}

int
no_dynamic_info(unw_addr_space_t, unw_word_t *, void *)
{
	return -UNW_ENOINFO;
}

int
no_fpreg(unw_addr_space_t, unw_regnum_t, unw_fpreg_t *, int, void *)
{
	return -UNW_EBADREG;
}

int
no_resume(unw_addr_space_t, unw_cursor_t *, void *)
{
	return -UNW_EINVAL;
}

unw_addr_space_t
address_space() noexcept
{
	static unw_accessors_t accessors{find_proc_info, put_unwind_info,
	    no_dynamic_info, access_mem, access_reg, no_fpreg, no_resume,
	    nullptr};
	static const unw_addr_space_t space =
	    unw_create_addr_space(&accessors, 0);
	return space;
}

constinit pthread_mutex_t walking = PTHREAD_MUTEX_INITIALIZER;

void
lock() noexcept
{
	pthread_mutex_lock(&walking);
}

void
unlock() noexcept
{
	pthread_mutex_unlock(&walking);
}

struct one_walk {
	one_walk() noexcept
	{
		static const int kept_out = pthread_atfork(lock, unlock,
		    unlock);
		static_cast<void>(kept_out);
		lock();
	}
	~one_walk() { unlock(); }
	one_walk(const one_walk &) = delete;
	one_walk &operator=(const one_walk &) = delete;
};

void
stopped(const context &c, stack9_record &rec) noexcept
{
	if (c.no_table) {
		rec.why = STACK9_WHY_UNWIND;
		rec.reason = "no unwind information covers the last frame";
	} else if (c.no_register) {
		rec.why = STACK9_WHY_REGISTERS;
		rec.reason = "the last frame's caller is found by a register "
		    "that only the running thread knows";
	} else if (c.words.strayed() && c.copy.cut()) {
		rec.why = STACK9_WHY_TRUNCATED;
		rec.reason = "the stack is larger than what is copied of it";
	} else if (c.words.strayed()) {
		rec.why = STACK9_WHY_UNWIND;
		rec.reason = "the stack goes on in memory that is not copied";
	} else {
		rec.why = STACK9_WHY_UNWIND;
		rec.reason = "the unwind information of the last frame leads "
		    "nowhere";
	}
}

// True as long as there is a caller.  Without a table libunwind would try the
// frame pointer, which is a guess.
bool
step(unw_cursor_t &cursor, const context &c, stack9_record &rec) noexcept
{
	const int more = unw_step(&cursor);
	if (more < 0 || c.no_table) {
		stopped(c, rec);
		return false;
	}
	return more > 0;
}

} // namespace

bool
walk(const snapshot &copy, reach how_far, stack9_record &rec) noexcept
{
	const one_walk alone;
	context c(copy);
	if (how_far == reach::snapshot)
		c.words.stay();
	rec.depth = 0;
	rec.dropped = 0;
	rec.why = STACK9_WHY_NONE;
	rec.reason = nullptr;
	rec.flags |= STACK9_EXACT_FIRST;
	unw_cursor_t cursor;
	unw_word_t pc = copy.registers[register_pc];
	if (unw_init_remote(&cursor, address_space(), &c) < 0) {
		rec.pcs[rec.depth++] = pc;
		stopped(c, rec);
		return c.words.strayed();
	}
	do {
		if (rec.depth == rec.max) {
			rec.dropped = 1;	// at least
			rec.why = STACK9_WHY_TRUNCATED;
			break;
		}
		rec.pcs[rec.depth++] = pc;
	} while (step(cursor, c, rec) &&
	    unw_get_reg(&cursor, UNW_REG_IP, &pc) == 0 && pc != 0);
	return c.words.strayed();
}

} // namespace stack9::self
