# SPDX-License-Identifier: GPL-2.0-or-later
#
# fish completion for gvt-stat(1), gvt-view(1) and gvt-plan(1). Commands, options and values are what gvt-stat itself
# lists, so that nothing has to be kept in step here.

# what a command has in detail, as the turns of list
function __gvt_stat_details
    gvt-stat $argv[1] --help 2>/dev/null | sed -n '/^In detail:/,$s/^  [a-z]* \([a-z]*\)  *\(.*\)/\1\t\2/p'
end

function __gvt_stat_command
    set -l words (commandline -opc)
    if test (count $words) -gt 2; and __gvt_stat_details $words[2] | string match -q -- "$words[3]"\t'*'
        echo $words[2..3]
    else if test (count $words) -gt 1; and not string match -q -- '-*' $words[2]
        echo $words[2]
    else
        echo report
    end
end

function __gvt_stat_commands
    set -l words (commandline -opc)
    $words[1] --help 2>/dev/null | sed -n '/^Commands:/,$s/^  \([a-z]\{1,\}\)  *\(.*\)/\1\t\2/p'
end

function __gvt_stat_options
    gvt-stat (__gvt_stat_command) --help 2>/dev/null |
        sed -n 's/^  \(-.,\)\{0,1\} *\(--[a-z-]*\)[^ ]*  *\(.*\)/\2\t\3/p'
end

function __gvt_stat_columns
    gvt-stat (__gvt_stat_command) --list 2>/dev/null | string replace -r ' +' \t
end

# what a word begins with, up to its last comma, before each line
function __gvt_stat_list
    set -l match (string match -r '^(?:--[a-z]*=)?(.*,)' -- (commandline -ct))
    while read -l item
        echo "$match[2]$item"
    end
end

function __gvt_stat_rules
    gvt-stat check --rules 2>/dev/null | string replace -r '^(\S+) +' '$1=\t'
end

function __gvt_stat_settings
    printf '%s\n' strict work-conserving fair
    printf 'policy=%s\n' strict work-conserving fair
    printf 'dispatch=%s\n' exclusive per-engine preemptive
    gvt-stat policy --list 2>/dev/null | string replace -r '^(\S+) +' '$1=\t'
end

function __gvt_stat_no_command
    test (count (commandline -opc)) -eq 1
end

function __gvt_stat_first_word
    test (count (commandline -opc)) -eq 2
end

function __gvt_stat_is
    contains -- (__gvt_stat_command) $argv
end

# some have details, as the turns of list
function __gvt_stat_reads_files
    contains -- (string split -f 1 ' ' (__gvt_stat_command)) report check why energy compare list export \
        simulate advise profile calibrate predict learn
end

# not by -w: with it, the line would be gvt-stat's, and so the commands
for program in gvt-stat gvt-view gvt-plan
    complete -c $program -f
    complete -c $program -n '__gvt_stat_no_command; or __gvt_stat_is help' -a '(__gvt_stat_commands)'
    complete -c $program -n __gvt_stat_first_word -a '(__gvt_stat_details (__gvt_stat_command))'
    complete -c $program -n 'string match -q -- "-*" (commandline -ct)' -a '(__gvt_stat_options)'
    complete -c $program -s i -l input -r -F -d 'Trace'
    complete -c $program -n '__gvt_stat_is record export simulate profile calibrate' -s o -l output -r -F
    complete -c $program -n '__gvt_stat_is simulate' -l with -r -F
    complete -c $program -n '__gvt_stat_is calibrate' -l beside -r -F
    complete -c $program -n '__gvt_stat_is predict' -l model -x -a 'simulation prophet'
    complete -c $program -n __gvt_stat_reads_files -F
    complete -c $program -n '__gvt_stat_is place' -l hosts -r -F
    complete -c $program -n '__gvt_stat_is place' -l profiles -x -a '(__fish_complete_directories)'
    complete -c $program -n '__gvt_stat_is advise' -l goal -x -a 'fair throughput energy mean: p50: p95: p99: worst:'
    complete -c $program -n '__gvt_stat_is compare' -l html -r -F
    complete -c $program -n '__gvt_stat_is export' -s f -l format -x -a 'html perfetto ctf csv parquet'
    complete -c $program -n '__gvt_stat_is energy' -l static -x -a 'busy none equal'
    complete -c $program -n '__gvt_stat_is energy' -l powercap -x -a '(__fish_complete_directories)'
    complete -c $program -n '__gvt_stat_is energy advise' -l coef -r -F
    complete -c $program -n '__gvt_stat_is energy' -l save-coef -r -F
    complete -c $program -n '__gvt_stat_is simulate' -l energy -r -F
    complete -c $program -n '__gvt_stat_is record' -l open -x -a 'html'
    complete -c $program -n '__gvt_stat_is record' -l on -x -a 'p99: p99\> idle-waiting\> reset'
    complete -c $program -n '__gvt_stat_is record' -s C -l clock -x -a 'local global mono mono_raw boot x86-tsc'
    complete -c $program -n '__gvt_stat_is record' -a 'gvt gpu simulate full none'
    complete -c $program -n '__gvt_stat_is top policy record' -l sysroot -x -a '(__fish_complete_directories)'
    complete -c $program -l engine -x -a '(printf "%s\n" rcs0 bcs0 vcs0 vcs1 vecs0 ccs0 | __gvt_stat_list)'
    complete -c $program -l columns -x -a '(__gvt_stat_columns | __gvt_stat_list)'
    complete -c $program -s s -l sort -x -a '(__gvt_stat_columns)'
    complete -c $program -n '__gvt_stat_is check' -l threshold -x -a '(__gvt_stat_rules)'
    complete -c $program -n '__gvt_stat_is policy' -a '(__gvt_stat_settings)'
end
