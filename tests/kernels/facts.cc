// Checks on each guest kernel itself what it was chosen for: a green
// run on a kernel that has since gained the missing feature proves nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

namespace {

using boost::unit_test::description;

class descriptor {
public:
	explicit descriptor(long fd) : fd_(static_cast<int>(fd)) {}
	~descriptor() { if (fd_ >= 0) close(fd_); }
	descriptor(const descriptor &) = delete;
	descriptor &operator=(const descriptor &) = delete;
	int get() const { return fd_; }

private:
	int fd_;
};

struct version {
	int major = 0, minor = 0;
	auto operator<=>(const version &) const = default;
};

version
running()
{
	utsname name{};
	version v;
	uname(&name);
	std::sscanf(name.release, "%d.%d", &v.major, &v.minor);
	return v;
}

const btf *
kernel_types()
{
	static const std::unique_ptr<btf, decltype(&btf__free)> types(
	    btf__load_vmlinux_btf(), btf__free);
	BOOST_REQUIRE(types != nullptr);
	return types.get();
}

int
function(const char *name)
{
	return btf__find_by_name_kind(kernel_types(), name, BTF_KIND_FUNC);
}

bool
has_member(const char *type, const std::string &name)
{
	const btf *types = kernel_types();
	const int id = btf__find_by_name_kind(types, type, BTF_KIND_UNION);
	BOOST_REQUIRE_GT(id, 0);
	const btf_type *t = btf__type_by_id(types, id);
	for (int i = 0; i < btf_vlen(t); i++)
		if (name == btf__name_by_offset(types,
		    btf_members(t)[i].name_off))
			return true;
	return false;
}

// Returns its own CPU's number: bpf_get_smp_processor_id().
long
load_which_cpu()
{
	const bpf_insn insns[] = {
		{BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_smp_processor_id},
		{BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
	};
	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "which_cpu", "GPL",
	    insns, std::size(insns), nullptr);
}

long
load_fentry(int target)
{
	const bpf_insn insns[] = {
		{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
		{BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts);
	opts.expected_attach_type = BPF_TRACE_FENTRY;
	opts.attach_btf_id = static_cast<std::uint32_t>(target);
	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "entered", "GPL", insns,
	    std::size(insns), &opts);
}

std::uint64_t
times_run(const descriptor &prog)
{
	bpf_prog_info info{};
	std::uint32_t size = sizeof info;
	BOOST_REQUIRE_EQUAL(bpf_obj_get_info_by_fd(prog.get(), &info, &size),
	    0);
	return info.run_cnt;
}

long
open_kprobe(const char *symbol)
{
	std::ifstream file("/sys/bus/event_source/devices/kprobe/type");
	perf_event_attr attr{};
	if (!(file >> attr.type))
		return -1;
	attr.size = sizeof attr;
	attr.kprobe_func = reinterpret_cast<std::uintptr_t>(symbol);
	return syscall(SYS_perf_event_open, &attr, -1, 0, -1,
	    PERF_FLAG_FD_CLOEXEC);
}

} // namespace

BOOST_AUTO_TEST_CASE(release, *description("the guest runs the kernel that "
    "was asked for"))
{
	const char *asked = std::getenv("STACK9_KERNEL");
	if (asked == nullptr)
		return;
	const version v = running();
	BOOST_TEST(std::to_string(v.major) + "." + std::to_string(v.minor) ==
	    asked);
}

BOOST_AUTO_TEST_CASE(task_from_pid, *description("bpf_task_from_pid is "
    "there from Linux 6.2 on and not before"))
{
	BOOST_TEST((function("bpf_task_from_pid") > 0) ==
	    (running() >= version{6, 2}));
}

BOOST_AUTO_TEST_CASE(tid_filter, *description("the task iterator can be "
    "restricted to a tid from Linux 6.1 on and not before"))
{
	BOOST_TEST(has_member("bpf_iter_link_info", "task") ==
	    (running() >= version{6, 1}));
}

BOOST_AUTO_TEST_CASE(chosen_cpu, *description("a raw tracepoint program "
    "runs on the CPU that the caller names"))
{
	const descriptor prog(load_which_cpu());
	BOOST_REQUIRE_GE(prog.get(), 0);
	for (std::uint32_t cpu = 0; cpu < 2; cpu++) {
		LIBBPF_OPTS(bpf_test_run_opts, opts);
		opts.flags = BPF_F_TEST_RUN_ON_CPU;
		opts.cpu = cpu;
		BOOST_REQUIRE_EQUAL(bpf_prog_test_run_opts(prog.get(), &opts),
		    0);
		BOOST_TEST(opts.retval == cpu);
	}
}

BOOST_AUTO_TEST_CASE(fentry, *description("a program attached to a "
    "function's entry runs when the function is called"))
{
	const descriptor stats(bpf_enable_stats(BPF_STATS_RUN_TIME));
	const descriptor prog(load_fentry(function("__task_pid_nr_ns")));
	BOOST_REQUIRE_GE(prog.get(), 0);
	const descriptor link(bpf_raw_tracepoint_open(nullptr, prog.get()));
#ifdef __aarch64__
	if (running() < version{6, 4}) {
		BOOST_TEST(link.get() == -524);		// ENOTSUPP
		return;
	}
#endif
	BOOST_REQUIRE_GE(link.get(), 0);
	syscall(SYS_getppid);	// and that calls the function
	BOOST_TEST(times_run(prog) >= 1u);
}

BOOST_AUTO_TEST_CASE(kprobe, *description("a probe can be put on a kernel "
    "function, unless the kernel is locked down so that none can"))
{
	std::ifstream file("/sys/kernel/security/lockdown");
	std::string mode;
	std::getline(file, mode);
	const bool locked = mode.find("[confidentiality]") != mode.npos;
#ifdef __aarch64__
	constexpr char function[] = "__arm64_sys_getppid";
#else
	constexpr char function[] = "__x64_sys_getppid";
#endif
	const descriptor probe(open_kprobe(function));
	BOOST_TEST((probe.get() >= 0) == !locked);
}

BOOST_AUTO_TEST_CASE(proc_stack, *description("/proc shows kernel stacks, "
    "which captures are compared with"))
{
	std::ifstream file("/proc/self/stack");
	std::string line;
	BOOST_TEST(!!std::getline(file, line));
	BOOST_TEST(line.starts_with("[<0>] "));
}
