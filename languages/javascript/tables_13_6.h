// Has the tables of V8 13.6, for builds that were stripped of them: Debian's
// Node 24 exports them no more.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace stack9::languages::javascript {

// Two digits for each bytecode: its operands that grow with a prefix, and the
// bytes of the others.
inline constexpr std::string_view bytecodes_13_6 =
    "0000000000102030402232100010000000000010303030101010102010101000"
    "0000012020203010301010303030103030301130302040202030303031303120"
    "2020202020202020202020202020202020202020202020101010100000101010"
    "1030404030405040203040402232212140402020202020202020200010101000"
    "0022210010210021202110202020200000003010101010101010101010301010"
    "1010101010101010101030301020401000000000100000103040303000101000"
    "00000000000000000000000000000000";

// A digit for each operation of a translation: its operands.
inline constexpr std::string_view operations_13_6 =
    "643321343331003311101111111111111111101111121";

} // namespace stack9::languages::javascript
