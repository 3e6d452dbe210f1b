# bash completion for stackprint
# SPDX-License-Identifier: BSD-2-Clause

_stackprint()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}

	COMPREPLY=()
	case $prev in
	--pin)
		compopt -o dirnames
		return
		;;
	-p|--pid|-t|--tid)
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur"))
		return
		;;
	--record|--core|--dump)
		compopt -o default
		return
		;;
	--cgroup|--debug-dir|--sysroot)
		compopt -o dirnames
		return
		;;
	-n|--comm|--state|--at|--unit|--container|--frames|--limits)
		return
		;;
	esac
	case $cur in
	-*)
		COMPREPLY=($(compgen -W '-a --all -h --help -I --inlines
		    -k --kernel -l --lines -p --pid -t --tid -R --raw -u --user
		    -v --verbose -V --version --async --check --debuginfod
		    --limits --frames --group --no-group --procstat --json --now --pin --stop
		    --waits --no-waits --why --no-goroutines --native --follow --changes --stuck --top
		    --record --at --core --sysroot --dump --debug-dir
		    -n --comm --state --cgroup --unit --container
		    --children' -- "$cur"))
		;;
	*)
		# Process ids are thread ids too.
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur"))
		;;
	esac
} &&
complete -F _stackprint stackprint
