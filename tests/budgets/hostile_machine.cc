// Makes the files of a machine that is full of hostile ones: each of them
// claims or has more than a limit allows.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "hostile_machine.h"

#ifdef __x86_64__

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "cfi_section.h"
#include "debug_bombs.h"
#include "elf_builder.h"

using made::bytes;

namespace {

constexpr std::uint64_t GiB = 1024 * MiB;
// pause(2), for ever.
constexpr char waits[] = "\xb8\x22\0\0\0\x0f\x05\xeb\xf7\x90\x90\x90\x90";
constexpr std::uint64_t at = made::function;

elf_builder
program()
{
	elf_builder e;
	e.add({".text", SHT_PROGBITS, waiting_code + std::string(64, '\x90'),
	    at});
	return e.segment(PT_LOAD, ".text");
}

std::string
frame_program(const bytes &program)
{
	made::section s(true);
	made::cie c;
	c.letters = "";
	c.augmentation = {};
	s.add(s.add(c), program, 0x04, at, 1 << 20);
	return {reinterpret_cast<const char *>(s.all.data()), s.all.size()};
}

elf_builder
with(const std::string &name, const std::string &text, std::uint64_t size = 0,
    std::uint64_t flags = 0)
{
	return program().function("named", at).add({name, SHT_PROGBITS, text,
	    0, size, flags});
}

elf_builder
symbols(std::uint64_t table, std::uint64_t names)
{
	elf_builder e = program();
	e.add({".symtab", SHT_SYMTAB, std::string(48, '\1'), 0, table, 0,
	    ".strtab", 24});
	return e.add({".strtab", SHT_STRTAB, std::string("\0x\0", 3), 0,
	    names});
}

elf_builder
claims(std::uint64_t sections, std::uint64_t segments, std::uint64_t names)
{
	elf_builder e = program().function("named", at);
	e.sections = sections;
	e.segments = segments;
	e.names_size = names;
	e.file_size = 8 * GiB;
	return e;
}

// A unit with that text after its header.
std::string
unit(const std::string &text)
{
	blob b;
	b.number(static_cast<std::uint32_t>(7 + text.size()));
	b.number<std::uint16_t>(4).number<std::uint32_t>(0);
	return b + '\x08' + text;
}

elf_builder
lines(const std::string &info, std::uint64_t size, std::uint64_t flags)
{
	return with(".debug_info", info, size, flags).add({".debug_abbrev",
	    SHT_PROGBITS, std::string("\x01\x11\x00\0\0\0", 6)});
}

std::string
functions_of_go(std::uint64_t functions, std::uint64_t where)
{
	blob b;
	b.number<std::uint32_t>(0xfffffff1).number<std::uint32_t>(0x08010000);
	b.number(functions).number<std::uint64_t>(0).number(at);
	for (int n = 0; n < 4; n++)
		b.number<std::uint64_t>(16);
	return b.number(where);
}

const std::string fifo = "fifo";

std::vector<elf_builder>
hostile_files()
{
	bytes states(30, 0x0a);
	states.add(bytes(1 << 20, 0x2d));
	std::string frames = frame_program({0x41, 0x0e, 16});
	frames.resize(64 * MiB);
	std::vector<elf_builder> all = {
	    symbols(3 * GiB, 0), symbols(0, 6 * GiB),
	    with(".debug_frame", frame_program(bytes(8 * MiB, 0x2d))),
	    with(".debug_frame", frame_program(states)),
	    with(".debug_frame", frame_program({0x41}), 2 * GiB),
	    with(".debug_frame", packed(frames), 0, SHF_COMPRESSED),
	    lines(unit(std::string(24, '\1')), 5 * GiB, 0),
	    lines(packed(unit(std::string(64 * MiB, '\1'))), 0,
		SHF_COMPRESSED),
	    lines(unit(std::string(24, '\1')), 0, 0).add({".gnu_debugaltlink",
		SHT_PROGBITS, blob().text(fifo) + std::string(20, '\x77')}),
	    with(".gnu_debuglink", blob().text(fifo).pad(4)
		.number<std::uint32_t>(1)),
	    claims(1 << 26, 0, 0), claims(5, 0x7fffffff, 0),
	    claims(0, 0, 3 * GiB),
	    with(".gopclntab", functions_of_go(4'000'000, 4 * KiB), GiB),
	    with(".gopclntab", functions_of_go(1ull << 40, 0))};
	for (const auto &sections : debug_bombs(at)) {
		elf_builder e = program().function("named", at);
		for (const made_section &s : sections)
			e.add(s);
		all.push_back(e);
	}
	return all;
}

} // namespace

const std::string waiting_code(waits, sizeof waits - 1);

void
write_all(const std::string &dir)
{
	const auto files = hostile_files();
	for (std::size_t i = 0; i < files.size(); i++) {
		files[i].write(dir + "/hostile" + std::to_string(i));
		program().function("named", at).write(dir + "/honest" +
		    std::to_string(i));
	}
	mkfifo((dir + "/" + fifo).c_str(), 0600);
	const std::string build = "cd '" + dir + "' && echo 'int pause(void); "
	    "int main(void) { return pause(); }' > p.c && " CC
	    " -g -o whole p.c && " CC " -g -gsplit-dwarf -o split p.c && "
	    "for f in *.dwo; do rm $f; mkfifo $f; done";
	if (std::system(build.c_str()) != 0)
		_exit(1);
}

#endif // __x86_64__
