# bash completion for stack9
# SPDX-License-Identifier: BSD-2-Clause

_stack9()
{
	local cur=${COMP_WORDS[COMP_CWORD]} program=stack${COMP_WORDS[1]-}

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ] ||
	    { [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = help ]; }; then
		COMPREPLY=($(compgen -W 'print count snoop record report help
		    -h --help -V --version' -- "$cur"))
		return
	fi
	case $program in
	stackprint|stackcount|stacksnoop|stackrecord|stackreport) ;;
	*)	return ;;
	esac
	# The program's own completion sees its own words.
	declare -F "_$program" > /dev/null || _completion_loader "$program" \
	    2> /dev/null
	local function
	function=$(complete -p "$program" 2> /dev/null |
	    sed -n 's/.*-F \([^ ]*\).*/\1/p')
	[ -n "$function" ] || return
	COMP_WORDS=("$program" "${COMP_WORDS[@]:2}")
	COMP_CWORD=$((COMP_CWORD - 1))
	"$function" "$program" "$cur" "${COMP_WORDS[COMP_CWORD-1]}"
} &&
complete -F _stack9 stack9
