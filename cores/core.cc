// Opens core files, and lends samples of their threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "open_core.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "api/options.h"
#include "api/save.h"
#include "core/arguments.h"
#include "core/seam/debug_dirs.h"
#include "os/uncancelled.h"

#include "end.h"
#include "mappings.h"
#include "plain_core.h"
#include "registers.h"
#include "walk.h"

namespace stack9::cores {
namespace {

constexpr const char default_debug_dir[] = "/usr/lib/debug";

places
places_of(const stack9_core_options &o)
{
	places p;
	p.sysroot = o.sysroot != nullptr ? o.sysroot : "";
	while (!p.sysroot.empty() && p.sysroot.back() == '/')
		p.sysroot.pop_back();
	if (o.debug_dirs != nullptr)
		p.debug_dirs.assign(o.debug_dirs, o.debug_dirs +
		    o.debug_dir_count);
	p.debug_dirs.push_back(p.sysroot + default_debug_dir);
	p.fetches = (o.flags & STACK9_CORE_DEBUGINFOD) != 0;
	return p;
}

std::string
amount_of(std::uint64_t bytes)
{
	constexpr std::uint64_t mib = 1 << 20;
	return bytes >= 10 * mib ? std::to_string(bytes / mib) + " MiB" :
	    bytes >= 10 << 10 ? std::to_string(bytes >> 10) + " KiB" :
	    std::to_string(bytes) + " bytes";
}

void
note_what_is_cut(const contents &c, std::uint64_t size, stack9_core &to)
{
	if (c.about.size_wanted > size)
		to.notes.push_back("the core was cut: it has " +
		    amount_of(size) + " of " + amount_of(c.about.size_wanted) +
		    ", and the memory after that is missing" +
		    (c.about.cut_notes != 0 ? "; threads may be missing, too" :
		    ""));
	if (c.about.left_out != 0)
		to.notes.push_back("the core has more threads, segments or "
		    "files than are read");
	if (kind_of_copy(c.about.machine) == user_copy::machine::aarch64 ||
	    kind_of_copy(c.about.machine) == user_copy::machine::x86_64)
		to.notes.push_back("the core is of another CPU than this: "
		    "functions of languages and waits are not found");
	if (c.about.pid == 0)
		to.notes.push_back("the core does not say the name and pid of "
		    "its process");
}

// The kernel and gdb write the thread that had the signal first.
void
fill_info(const contents &c, stack9_core &core)
{
	stack9_core_facts &i = core.info;
	const facts &f = c.about;
	i.signal = f.has_siginfo != 0 ? f.signal : c.threads[0].signal;
	if (!ends_with_core(i.signal))
		i.signal = 0;
	i.tid = i.signal != 0 ? c.threads[0].tid : 0;
	i.pid = f.pid > 0 ? f.pid : c.threads[0].tid;
	if (i.signal != 0) {
		i.code = f.code;
		i.address = f.address;
		i.has_address = f.has_address;
		i.sender = f.has_sender != 0 ? f.sender : 0;
	}
	i.threads = static_cast<std::uint32_t>(c.threads.size());
	i.notes = static_cast<std::uint32_t>(core.notes.size());
	core.end = end_of(f, i.signal);
	i.end = core.end.c_str();
	i.comm = f.name;
	i.command = f.arguments;
}

int
open_plain(unique_fd fd, const stack9_core_options &o, stack9_core *&out)
{
	contents c;
	if (const std::string why = parse_apart(fd.get(), c); !why.empty())
		return failed(EINVAL, why);
	const std::uint64_t size = size_of(fd);
	auto made = open_contents(std::make_unique<file_bytes>(std::move(fd)),
	    std::move(c), places_of(o), (o.flags & STACK9_CORE_KEEP) != 0);
	note_what_is_cut(made->process->has(), size, *made);
	made->info.notes = static_cast<std::uint32_t>(made->notes.size());
	out = made.release();
	return 0;
}

// Its files are found where the process has them.
int
open_live(const stack9_thread &td, const stack9_core_options &o,
    stack9_core *&out)
{
	live_process live;
	if (const int error = read_live(td, live); error != 0)
		return error;
	places where = places_of(o);
	if (where.sysroot.empty())
		where.sysroot = "/proc/" + std::to_string(td.pid) + "/root";
	auto made = open_contents(std::move(live.bytes), std::move(live.has),
	    where, true);
	if (live.lacking != 0)
		made->notes.push_back(std::to_string(live.lacking) +
		    " threads are missing: their registers could not be read "
		    "while they went on");
	made->info.notes = static_cast<std::uint32_t>(made->notes.size());
	out = made.release();
	return 0;
}

const char *
wrong_with(const stack9_core_options *given, stack9_core_options &o)
{
	if (const char *const wrong = read_options(given, 16, o))
		return wrong;
	if ((o.flags & ~(STACK9_CORE_KEEP | STACK9_CORE_DEBUGINFOD)) != 0)
		return unknown_option_flags;
	if (o.debug_dirs == nullptr && o.debug_dir_count != 0)
		return "options->debug_dirs is NULL";
	for (std::uint32_t n = 0; n < o.debug_dir_count; n++)
		if (o.debug_dirs[n] == nullptr)
			return "one of options->debug_dirs is NULL";
	return nullptr;
}

} // namespace

std::unique_ptr<stack9_core>
open_contents(std::unique_ptr<core_bytes> bytes, contents &&c,
    const places &where, bool keeps)
{
	auto made = std::make_unique<stack9_core>();
	if (keeps) {
		auto pages = std::make_unique<kept_pages>(std::move(bytes));
		made->pages = pages.get();
		bytes = std::move(pages);
	}
	auto process = std::make_shared<core_process>(std::move(bytes),
	    std::move(c));
	made->process = process.get();
	const contents &has = process->has();
	if (has.about.has_files == 0) {
		contents with = has;
		list_files(*process, with);
		put_in_order(with);
		process->take_files(std::move(with));
	}
	debug_dirs::add(where.debug_dirs);
	made->space.reset(new stack9_space({has.threads[0].tid,
	    has.about.pid > 0 ? has.about.pid : has.threads[0].tid,
	    process->mark}));
	made->space->take_snapshot(mappings_of(*process, where, made->notes));
	process->use(*made->space);
	made->space->keeps = std::move(process);
	fill_info(has, *made);
	return made;
}

thread_walks::thread_walks(core_process &p, std::uint32_t frames,
    bool languages)
    : process_(p), pcs_(frames), languages_(languages)
{
}

const stack9_sample &
thread_walks::walk(const thread &t)
{
	stack_record rec{};
	rec.pcs = pcs_.data();
	rec.max = static_cast<std::uint32_t>(pcs_.size());
	rec.written = languages_ ? &written_ : nullptr;
	walk_thread(process_, t, copy_, rec);
	return lent_.show(nullptr, &rec);
}

} // namespace stack9::cores

extern "C" int
stack9_core_open(const char *path, int fd,
    const struct stack9_core_options *options, struct stack9_core **core)
{
	using namespace stack9;
	stack9_core_options o;
	const char *const wrong = cores::wrong_with(options, o);
	if (const int error = check_arguments({
	    {core == nullptr, "core is NULL"},
	    {path == nullptr && fd < 0, "path is NULL, and fd is negative"},
	    {wrong != nullptr, wrong},
	    }); error != 0)
		return error;
	return public_call([&] {
		unique_fd plain;
		const int error = cores::open_plain_core(path, fd, plain);
		return error != 0 ? error : cores::open_plain(std::move(plain),
		    o, *core);
	});
}

extern "C" int
stack9_core_open_process(const struct stack9_thread *process,
    const struct stack9_core_options *options, struct stack9_core **core)
{
	using namespace stack9;
	stack9_core_options o;
	const char *const wrong = cores::wrong_with(options, o);
	if (const int error = check_arguments({
	    {process == nullptr, "process is NULL"},
	    {process != nullptr && process->pid < 1,
	    "process->pid is less than 1"},
	    {core == nullptr, "core is NULL"},
	    {wrong != nullptr, wrong},
	    }); error != 0)
		return error;
	return public_call([&] {
		return process->pid == getpid() ? failed(EOPNOTSUPP,
		    "a process makes no dump of itself") :
		    cores::open_live(*process, o, *core);
	});
}

extern "C" const struct stack9_core_facts *
stack9_core_info(const struct stack9_core *core)
{
	return &core->info;
}

extern "C" const char *
stack9_core_note(const struct stack9_core *core, uint32_t n)
{
	return n < core->notes.size() ? core->notes[n].c_str() : nullptr;
}

extern "C" int
stack9_core_each(struct stack9_core *core,
    const struct stack9_save_options *options, stack9_sample_fn *fn, void *arg)
{
	using namespace stack9;
	stack9_save_options o;
	const char *const wrong = read_save_options(options, o);
	if (const int error = check_arguments({
	    {core == nullptr, "core is NULL"},
	    {fn == nullptr, has_no_fn},
	    {wrong != nullptr, wrong},
	    {(o.flags & ~STACK9_SAVE_LANGUAGES) != 0 || o.timeout_ms != 0 ||
	    o.space != nullptr ||
	    o.states != nullptr || o.since_ns != 0,
	    "options has a member that is not for cores"},
	    }); error != 0)
		return error;
	return public_call([&] {
		const auto walks = std::make_unique<cores::thread_walks>(
		    *core->process, o.frames,
		    (o.flags & STACK9_SAVE_LANGUAGES) != 0);
		for (const auto &t : core->process->has().threads)
			if (fn(arg, &walks->walk(t)) != 0)
				return ECANCELED;
		return 0;
	});
}

extern "C" void
stack9_core_close(struct stack9_core *core)
{
	const stack9::uncancelled guard;
	delete core;
}
