# bash completion for stackcount and stacksnoop
# SPDX-License-Identifier: BSD-2-Clause

# Tracepoints where tracefs is there to be read, and what needs no list.
_stackcount_events()
{
	local dir

	echo 't: syscall: sysret: k: u: usdt: cpu-clock task-clock page-faults
	    minor-faults major-faults context-switches cpu-migrations
	    alignment-faults emulation-faults offcpu trigger'
	for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -r "$dir/available_events" ] || continue
		sed 's/^/t:/' "$dir/available_events"
		return
	done
}

_stackcount()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local formats='text json perf' own=

	# An event has colons, at which readline breaks words.
	if declare -F _get_comp_words_by_ref > /dev/null; then
		_get_comp_words_by_ref -n : cur prev
	fi
	if [ "${1##*/}" = stackcount ]; then
		formats='text folded json pprof speedscope svg html'
		own='--diff --to -P --per-process --folded -g --graph -T --most -i --interval
		    --cumulative --stacks --wakers --wakers=only --wakers=graph'
	fi
	COMPREPLY=()
	case $prev in
	-p|--pid|-t|--tid)
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur"))
		return
		;;
	-f|--format)
		COMPREPLY=($(compgen -W "$formats" -- "$cur"))
		return
		;;
	--to)
		COMPREPLY=($(compgen -W 'otlp:// otlps:// pyroscope:// parca://' \
		    -- "$cur"))
		compopt -o nospace
		return
		;;
	--diff)
		compopt -o default
		return
		;;
	--cgroup)
		compopt -o dirnames
		return
		;;
	-o|--output|-g|--graph)
		compopt -o default
		return
		;;
	-e|--event|-n|--comm|--unit|--container|-C|--cpu|-F|--frequency|-c|--count|-D|--duration|-m|--min-block|-M|\
	--max-block|--frames|--limits|--ring|--rules|-T|--most|-i|--interval|--stacks)
		return
		;;
	esac
	case $cur in
	-*)
		COMPREPLY=($(compgen -W "-p --pid --children -t --tid -n --comm --cgroup
		    --unit --container
		    -C --cpu --list -e --event -F --frequency -r --regex -c --count -D --duration -m --min-block
		    -M --max-block -k --kernel -u --user
		    -K --kernel-stacks-only -U --user-stacks-only --copy --native --fp --frames --ring --rules
		    -f --format -o --output -d --delimiter -s --offsets
		    -v --verbose -R --raw -I --inlines -l --lines --debuginfod
		    --limits -q --quiet
		    --json -h --help -V --version $own" -- "$cur"))
		;;
	*)
		COMPREPLY=($(compgen -W "$(_stackcount_events)" -- "$cur"))
		if declare -F __ltrim_colon_completions > /dev/null; then
			__ltrim_colon_completions "$cur"
		fi
		;;
	esac
} &&
complete -F _stackcount stackcount stacksnoop
