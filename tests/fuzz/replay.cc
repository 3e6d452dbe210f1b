// Gives each fuzzer the inputs of its corpus.  An input that was a fault once
// is named after the fault, and is a test of that name.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#define	FUZZER(name)							\
	extern "C" int fuzz_##name(const std::uint8_t *, std::size_t);
#include "fuzzers.h"
#undef FUZZER

namespace {

namespace unit_test = boost::unit_test;

using fuzzer = int(const std::uint8_t *, std::size_t);

void
replay(fuzzer *one, const std::filesystem::path &file)
{
	std::ifstream in(file, std::ios::binary);
	const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
	BOOST_REQUIRE(in.good());
	BOOST_TEST(one(reinterpret_cast<const std::uint8_t *>(bytes.data()),
	    bytes.size()) == 0);
}

// A suite with the fuzzer's name, and a case for each input.
bool
add(const char *name, fuzzer *one)
{
	auto *const suite = BOOST_TEST_SUITE(name);
	std::vector<std::filesystem::path> files;
	std::error_code none;
	for (const auto &file : std::filesystem::directory_iterator(
	    std::filesystem::path(CORPUS) / name, none))
		files.push_back(file.path());
	std::sort(files.begin(), files.end());
	for (const std::filesystem::path &file : files)
		suite->add(unit_test::make_test_case(
		    [=] { replay(one, file); }, file.filename().string(),
		    __FILE__, __LINE__));
	suite->add(unit_test::make_test_case([=] {
		BOOST_TEST(one(nullptr, 0) == 0);
		BOOST_TEST(!files.empty());
	}, "nothing", __FILE__, __LINE__));
	unit_test::framework::master_test_suite().add(suite);
	return true;
}

#define	FUZZER(name)							\
	const bool has_##name = add(#name, fuzz_##name);
#include "fuzzers.h"
#undef FUZZER

} // namespace
