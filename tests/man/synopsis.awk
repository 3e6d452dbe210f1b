# A manual page's SYNOPSIS as a C file: includes, and each prototype declared
# again.  The compiler then compares it with the header's.
#
# Needs -v exported=" name name ... ": any other .Fn is a macro or inline.
#
# SPDX-License-Identifier: BSD-2-Clause

# The words of a macro's line, "quoted ones" whole, into word[1..n].
function words(line,   n) {
	n = 0
	while (match(line, /"[^"]*"|[^ ]+/)) {
		word[++n] = substr(line, RSTART, RLENGTH)
		gsub(/"/, "", word[n])
		line = substr(line, RSTART + RLENGTH)
	}
	return n
}

function is_declared(name) {
	return "typedef __typeof__(&(" name ")) " name "_is_declared;\n"
}

# In parentheses a function's name is never a macro's.
function declare(name, arguments) {
	gsub(/\\/, "", arguments)
	if (type ~ /^typedef /)
		print type " (" name ")(" arguments ");"
	else if (index(exported, " " name " ") == 0)
		printf "#ifndef %s\n%s#endif\n", name, is_declared(name)
	else
		print is_declared(name) type " (" name ")(" arguments ");"
}

# .Vt struct thread * Ns Va curthread ;
function variable(n,   i, t, name) {
	for (i = 2; i <= n; i++) {
		if (word[i] == "Va")
			name = word[++i]
		else if (word[i] != "Ns" && word[i] != ";")
			t = t " " word[i]
	}
	sub(/^ */, "", t)
	if (t ~ /^typedef /) {
		print t ";"
		return
	}
	printf "static inline %s get_%d(void) { return (%s); }\n",
	    t, ++variables, name
}

BEGIN {
	print "#define KTR"	# so that CTRSTACK() is more than nothing
}
/^\.Sh / {
	inside = $2 == "SYNOPSIS"
	next
}
!inside { next }
/^\.Ed/ { literal = 0; next }
literal { print; next }
/^\.Bd -literal/ { literal = 1; next }
/^\.In / { includes = includes "#include <" $2 ">\n"; next }
/^\.Fd / { sub(/^\.Fd /, ""); print; next }
includes != "" {
	printf "%s", includes
	if (!begun++)
		print "#ifdef __cplusplus\nextern \"C\" {\n#endif"
	includes = ""
}
/^\.Ft / { n = words($0); type = word[2]
	for (i = 3; i <= n; i++)
		type = type " " word[i]
	next
}
/^\.Fn / {
	n = words($0)
	name = word[2]
	arguments = n > 2 ? word[3] : "void"
	for (i = 4; i <= n; i++)
		arguments = arguments ", " word[i]
	declare(name, arguments)
	next
}
/^\.Fo / { name = $2; arguments = ""; next }
/^\.Fa / && name != "" {
	words($0)
	arguments = arguments (arguments == "" ? "" : ", ") word[2]
	next
}
/^\.Fc/ { declare(name, arguments == "" ? "void" : arguments); name = ""; next }
/^\.V[ta] / { variable(words($0)); next }
END {
	if (includes != "")
		printf "%s", includes
	if (begun)
		print "#ifdef __cplusplus\n}\n#endif"
	print "int made_from_the_manual;"
}
