// Asks the locale whether text is UTF-8, and how wide a letter is.
//
// A static program reads no locale of the machine: the files of another C
// library, or of another release, are not made for it.  It goes by the names in
// the environment, and by a table of letters.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <locale.h>

namespace screens {

// While it lives, wcwidth(3) knows the letters of a locale of UTF-8.
class letters_of_locale {
public:
	letters_of_locale();
	~letters_of_locale();
	letters_of_locale(const letters_of_locale &) = delete;
	letters_of_locale &operator=(const letters_of_locale &) = delete;

	bool are_utf8() const { return are_utf8_; }

private:
	locale_t	all_ = nullptr, before_ = nullptr;
	bool		are_utf8_ = false;
};

// The columns of a letter; 0 or less: it has no place of its own, or nobody
// knows it.
int width_of(char32_t);

} // namespace screens
