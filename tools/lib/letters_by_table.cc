// Asks the environment and a table, in a program that is one static file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "letters.h"

#include <cctype>
#include <cstdlib>
#include <string>

namespace screens {

// The first of them that is set counts, as for setlocale(3).
letters_of_locale::letters_of_locale()
{
	for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
		const char *const value = std::getenv(name);
		if (value == nullptr || *value == '\0')
			continue;
		std::string locale;
		for (const char *c = value; *c != '\0'; c++)
			if (*c != '-')
				locale += static_cast<char>(std::tolower(
				    static_cast<unsigned char>(*c)));
		are_utf8_ = locale.find("utf8") != locale.npos;
		return;
	}
}

letters_of_locale::~letters_of_locale() = default;

// All others stay escaped: marks that have no place of their own, scripts whose
// letters join, and what a later Unicode may bring.
int
width_of(char32_t code)
{
	struct range {
		char32_t	from, to;
		int		width;
	};
	constexpr range known[] = {
	    {0xa0, 0x2ff, 1},		// Latin, phonetic letters
	    {0x370, 0x377, 1}, {0x37a, 0x37f, 1}, {0x384, 0x38a, 1},
	    {0x38e, 0x3a1, 1}, {0x3a3, 0x482, 1}, {0x48a, 0x52f, 1},
	    {0x531, 0x556, 1}, {0x561, 0x587, 1}, {0x5d0, 0x5ea, 1},
	    {0x10d0, 0x10fa, 1}, {0x1e00, 0x1f15, 1},
	    {0x2010, 0x2027, 1}, {0x2030, 0x205e, 1}, {0x20a0, 0x20bf, 1},
	    {0x2100, 0x2319, 1}, {0x2500, 0x25fc, 1}, {0x2600, 0x2613, 1},
	    {0x1100, 0x115e, 2},	// Hangul, Han, Kana
	    {0x2e80, 0x2e99, 2}, {0x3001, 0x3029, 2}, {0x3041, 0x3096, 2},
	    {0x309b, 0x30ff, 2}, {0x3105, 0x312f, 2}, {0x3131, 0x3163, 2},
	    {0x3400, 0x4dbf, 2}, {0x4e00, 0x9fff, 2}, {0xac00, 0xd7a3, 2},
	    {0xf900, 0xfa6d, 2}, {0xff01, 0xff60, 2}, {0xffe0, 0xffe6, 2},
	    {0x1f300, 0x1f320, 2}, {0x1f600, 0x1f64f, 2},
	    {0x20000, 0x2a6dd, 2},
	};
	for (const range &r : known)
		if (code >= r.from && code <= r.to)
			return r.width;
	return 0;
}

} // namespace screens
