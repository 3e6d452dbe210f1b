// Fills in struct kinfo_proc.  A member for which there is no number here is 0,
// and a pointer is NULL, because it would lead into the kernel.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/proc.h>

#include "kinfo.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace stack9 {
namespace {

template <std::size_t n> void
put(char (&to)[n], std::string_view from) noexcept
{
	std::memset(to, 0, n);
	std::memcpy(to, from.data(), std::min(from.size(), n - 1));
}

timeval
time_of(std::uint64_t us) noexcept
{
	return {static_cast<time_t>(us / 1000000),
	    static_cast<suseconds_t>(us % 1000000)};
}

// The first bits are those of signal 1 on.
sigset_t
set_of(signal_bits bits) noexcept
{
	sigset_t set;
	sigemptyset(&set);
	for (int i = 0; i < 64; i++)
		if ((bits >> i & 1) != 0)
			sigaddset(&set, i + 1);
	return set;
}

char
state_of(char letter) noexcept
{
	switch (letter) {
	case 'R':
		return SRUN;
	case 'T':
	case 't':
		return SSTOP;
	case 'Z':
	case 'X':
	case 'x':
		return SZOMB;
	default:
		return SSLEEP;
	}
}

long
flags_of(const task_facts &p) noexcept
{
	return P_INMEM | (p.of_kernel ? P_KPROC | P_SYSTEM : 0) |
	    (p.terminal != 0 ? P_CONTROLT : 0) |
	    (p.threads > 1 ? P_HADTHREADS : 0) |
	    (p.tracer != 0 ? P_TRACED : 0) |
	    (p.state == 'T' ? P_STOPPED_SIG : 0) |
	    (p.state == 't' ? P_STOPPED_TRACE : 0) |
	    (state_of(p.state) == SZOMB ? P_WEXIT : 0);
}

void
put_ids(const task_facts &p, struct kinfo_proc &k) noexcept
{
	k.ki_pid = p.pid;
	k.ki_ppid = p.parent;
	k.ki_pgid = p.group;
	k.ki_sid = p.session;
	k.ki_tpgid = p.terminal_group;
	k.ki_tracer = p.tracer;
	k.ki_tdev = p.terminal != 0 ? p.terminal : UINT64_MAX;
	k.ki_tdev_freebsd11 = static_cast<std::uint32_t>(k.ki_tdev);
	k.ki_tsid = p.terminal != 0 ? p.session : 0;
	k.ki_uid = p.uid;
	k.ki_ruid = p.real_uid;
	k.ki_svuid = p.saved_uid;
	k.ki_rgid = p.real_gid;
	k.ki_svgid = p.saved_gid;
	// The first one is the effective group.
	k.ki_groups[0] = p.gid;
	std::size_t n = 1;
	for (const gid_t g : p.groups)
		if (n < KI_NGROUPS)
			k.ki_groups[n++] = g;
		else
			k.ki_cr_flags |= KI_CRF_GRP_OVERFLOW;
	k.ki_ngroups = static_cast<short>(n);
}

void
put_thread(const task_facts &t, struct kinfo_proc &k) noexcept
{
	k.ki_tid = t.tid;
	k.ki_stat = state_of(t.state);
	k.ki_lastcpu = t.cpu;
	k.ki_lastcpu_old = static_cast<u_char>(std::clamp(t.cpu, 0,
	    MAXCPU_OLD));
	const bool runs = t.state == 'R';
	k.ki_oncpu = runs ? k.ki_lastcpu : NOCPU;
	k.ki_oncpu_old = runs ? k.ki_lastcpu_old : NOCPU_OLD;
	k.ki_tdflags = TDF_INMEM | (t.state == 'S' ? TDF_SINTR : 0);
	k.ki_nice = static_cast<signed char>(t.nice);
	const auto level = static_cast<u_char>(std::clamp(t.priority, 0, 255));
	k.ki_pri = {static_cast<u_char>(t.how == scheduling::idle ? PRI_IDLE :
	    t.how == scheduling::real_time ? PRI_REALTIME : PRI_TIMESHARE),
	    level, level, level};
	put(k.ki_wmesg, t.wait);
	put(k.ki_tdname, t.name);
	put(k.ki_ocomm, t.name);
	put(k.ki_moretdname, t.name.size() > TDNAMLEN ?
	    std::string_view(t.name).substr(TDNAMLEN) : std::string_view());
	k.ki_siglist = set_of(t.pending);
	k.ki_sigmask = set_of(t.blocked);
}

// t: whose times the record has.
void
put_usage(const task_facts &p, const task_facts &t, struct kinfo_proc &k)
    noexcept
{
	k.ki_runtime = t.user_us + t.system_us;
	k.ki_rusage.ru_utime = time_of(t.user_us);
	k.ki_rusage.ru_stime = time_of(t.system_us);
	k.ki_rusage.ru_minflt = static_cast<long>(t.minor_faults);
	k.ki_rusage.ru_majflt = static_cast<long>(t.major_faults);
	k.ki_rusage.ru_nvcsw = static_cast<long>(t.voluntary);
	k.ki_rusage.ru_nivcsw = static_cast<long>(t.involuntary);
	k.ki_rusage.ru_maxrss = static_cast<long>(p.most_resident);
	k.ki_rusage_ch.ru_utime = time_of(p.children_user_us);
	k.ki_rusage_ch.ru_stime = time_of(p.children_system_us);
	k.ki_childtime = time_of(p.children_user_us + p.children_system_us);
	k.ki_start = time_of(p.start_us);
	k.ki_swtime = static_cast<u_int>(p.age_us / 1000000);
	k.ki_size = p.bytes;
	k.ki_rssize = static_cast<segsz_t>(p.resident);
}

} // namespace

struct kinfo_proc
kinfo_of(const task_facts &process, const task_facts &thread) noexcept
{
	struct kinfo_proc k{};
	k.ki_structsize = sizeof k;
	put_ids(process, k);
	put_thread(thread, k);
	put_usage(process, thread, k);
	put(k.ki_comm, process.name);
	put(k.ki_emul, process.of_kernel ? "kernel" : "Linux");
	k.ki_flag = flags_of(process);
	k.ki_kiflag = (process.terminal != 0 ? KI_CTTY : 0) |
	    (process.session == process.pid ? KI_SLEADER : 0);
	k.ki_numthreads = process.threads;
	k.ki_sigignore = set_of(process.ignored);
	k.ki_sigcatch = set_of(process.caught);
	return k;
}

} // namespace stack9
