// Asks the C library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "letters.h"

#include <cstring>
#include <wchar.h>

#include <langinfo.h>

namespace screens {

letters_of_locale::letters_of_locale()
    : all_(newlocale(LC_CTYPE_MASK, "", nullptr))
{
	are_utf8_ = all_ != nullptr &&
	    std::strcmp(nl_langinfo_l(CODESET, all_), "UTF-8") == 0;
	if (are_utf8_)
		before_ = uselocale(all_);
}

letters_of_locale::~letters_of_locale()
{
	if (are_utf8_)
		uselocale(before_);
	if (all_ != nullptr)
		freelocale(all_);
}

int
width_of(char32_t code)
{
	return wcwidth(static_cast<wchar_t>(code));
}

} // namespace screens
