# SPDX-License-Identifier: GPL-2.0-or-later
"""
Runs 'gvt-stat check' on the corpus, each history as it is and as people's traces are:
with losses, skew between CPUs, a second GPU, and begun in the middle.
"""
import json
import lzma
import os
import random
import re
import subprocess
import tempfile

from causes import causes, healthy

HERE = os.path.dirname(os.path.abspath(__file__))
SHORT = {"queue": "gvt_workload_queue", "submit": "gvt_workload_submit",
         "start": "gvt_workload_start", "stop": "gvt_workload_stop",
         "complete": "gvt_workload_complete", "cancel": "gvt_workload_cancel",
         "switch": "gvt_sched_switch", "balance": "gvt_sched_balance"}
FIELDS = {"v": "vgpu_id", "w": "workload_id", "c": "class", "done": "completed",
          "prev": "prev_vgpu_id", "next": "next_vgpu_id"}
INFOS = ("gvt_vgpu_info", "gvt_sched_info", "print")


def expand(text):
    """One event with the short names of tests/lib.sh in full."""
    event, _, fields = text.partition(" ")
    event = SHORT.get(event, event)
    parts = []
    for field in fields.split():
        name, _, value = field.partition("=")
        parts.append(f"{FIELDS.get(name, name)}={value}")
    if event in ("gvt_sched_switch", "gvt_sched_balance", "gvt_sched_hold") and \
       not any(part.startswith("class=") for part in parts):
        parts.append("class=-1 instance=-1")
    return f"{event} {' '.join(parts)}"


def infos(lines):
    """What was told of vGPUs and settings, for a trace that begins later."""
    return [text for _, text in lines if text.startswith(INFOS) and _ == lines[0][0]]


def hosts(lines, until):
    """What is told of the host's own work each second, then."""
    states = {}
    for time, text in lines:
        event = re.match(r"gvt_host_(state|start|stop)\b", text)
        if event and time < until:
            engine = re.search(r"class=\d+", text)
            running = {"state": "running=1" in text, "start": True, "stop": False}[event[1]]
            states[engine[0] if engine else ""] = running
    return [f"gvt_host_state {engine} running={int(running)}" for engine, running in states.items()]


# --- how traces are -------------------------------------------------------------------
# each takes the lines (time, event) and returns those of the trace: (time, CPU, text)

def plain(lines):
    return [(time, 0, text) for time, text in lines]


def lossy(lines):
    """Three times, some events in a row are lost, of a hundredth of them in all."""
    rng = random.Random(len(lines))
    result, lost = plain(lines), max(len(lines) // 300, 1)
    for where in sorted((rng.uniform(0.2, 0.9) for _ in range(3)), reverse=True):
        at = int(where * len(result))
        kept = [one for one in result[at:at + lost] if one[2].startswith(INFOS)]
        result[at:at + lost] = kept + [(result[at][0], 0, f"lost {lost}")]
    return result


def skewed(lines):
    """Starts and stops come from another CPU, whose clock is 3 us behind."""
    return [(time - 3000 if text.startswith(("start", "stop")) else time,
             int(text.startswith(("start", "stop"))), text) for time, text in lines]


def second_gpu(lines):
    """The same on GPU 1, beside a GPU 0 with the same ids on which all is well."""
    other = next(h for h in healthy() if h.name == "light-fair")
    last = lines[-1][0]
    both = [(time, 0, text if text.startswith("print") else f"{text} dev=1") for time, text in lines]
    both += [(time, 0, text) for time, text in other.lines() if time <= last]
    return sorted(both, key=lambda one: one[0])


def cut(lines):
    """Recording began under load: what was queued before is not in the trace."""
    begin = lines[0][0] + (lines[-1][0] - lines[0][0]) // 10
    head = [(begin, 0, text) for text in infos(lines) + hosts(lines, begin)]
    return head + [(time, 0, text) for time, text in lines if time >= begin]


VARIANTS = {"plain": plain, "lossy": lossy, "skewed": skewed, "second-gpu": second_gpu, "cut": cut}


# --- recordings of the rig ------------------------------------------------------------
class Recording:
    """A file in rig/: '# expect FINDING' lines, then events; '# without VARIANT' where that
    takes away what it is about."""

    def __init__(self, path):
        self.name = os.path.basename(path)[:-len(".trace.xz")]
        with lzma.open(path, "rt", encoding="ascii") as file:
            text = file.read()
        self.findings = re.findall(r"^# expect (.*)$", text, re.M)
        self.without = re.findall(r"^# without (\S*)$", text, re.M)
        self.text = text

    def lines(self):
        # kvmgt did not yet tell of the host, which was idle
        events = [(0, "gvt_host_state running=0")]
        for line in self.text.splitlines():
            if line and line[0].isdigit():
                time, _, text = line.split(" ", 2)
                events.append((int(time), text))
        return events


def recordings():
    rig = os.path.join(HERE, "rig")
    names = sorted(os.listdir(rig)) if os.path.isdir(rig) else []
    return [Recording(os.path.join(rig, name)) for name in names if name.endswith(".trace.xz")]


# --- run ------------------------------------------------------------------------------
def write_trace(path, events):
    cpus = 1 + max(cpu for _, cpu, _ in events)
    shift = -min(min(time for time, _, _ in events), 0)
    out = ["clock local" if cpus > 1 else "clock mono", f"cpus {cpus}"]
    for time, cpu, text in events:
        if text.startswith("lost"):
            out.append(f"lost {cpu} {text.split()[1]}")
        else:
            out.append(f"{time + shift} {cpu} {expand(text)}")
    formats = os.environ["FORMATS"].split()
    subprocess.run([os.environ["MKTRACE"], *formats, "-o", path],
                   input="\n".join(out) + "\n", text=True, check=True)


def command_of(finding, dev=None):
    """@dev: the GPU that the command has to name, as there are several."""
    if not finding["remedies"]:
        return "nothing helps"
    first = finding["remedies"][0]
    if not first["command"]:
        return first["remedy"]
    words = "gvt-stat policy " + ("" if dev is None else f"--gpu {dev} ")
    command = first["command"].replace(words, "")
    # with it or without it, i915 preempts for the host; which is better a simulation decides
    return command.replace(" host_first=1", "") if finding["rule"] == "host-waits" else command


def check(path, *options):
    """Findings as dictionaries."""
    run = subprocess.run([os.environ["GVT_STAT"], "check", "--json", "-i", path, *options],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode not in (0, 2):
        raise RuntimeError(f"check failed: {run.stderr}")
    document = json.loads(run.stdout)
    if document["contradictions"]:
        raise RuntimeError(f"check contradicts itself: {document['contradictions']}")
    return document["findings"]


def first_screen(path):
    """What 'gvt-stat report' says of the findings."""
    run = subprocess.run([os.environ["GVT_STAT"], "report", "-i", path],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"report failed: {run.stderr}")
    first = re.search(r"^First of (\d+) findings? of .* \((.*)\)\n((?:.|\n)*?)\nRemedy",
                      run.stdout, re.M)
    return (int(first[1]), first[2], " ".join(first[3].split())) if first else (0, None, None)


def differs(findings, path):
    """The report has one pass and rules of its own choice of events; it must tell the same."""
    first = findings[0] if findings else {"rule": None, "problem": None}
    want = (len(findings), first["rule"], first["problem"])
    got = first_screen(path)
    return [] if got == want else [f"the report tells {got} instead of {want}"]


def found(history, variant, path, *options):
    write_trace(path, VARIANTS[variant](history.lines()))
    return check(path, *options)


def key_of(finding):
    def told(value):
        return "-" if value is None else str(value)
    return f"{finding['rule']} {told(finding['vgpu_id'])} {told(finding['engine'])}"


def expected(history, variant):
    """What is to be found: key -> command or None."""
    result = {}
    for text in history.findings:
        words = text.split(" ", 3)
        result[" ".join(words[:3])] = words[3] if len(words) > 3 else None
    if variant == "lossy":
        result["lost - -"] = None
    return result


def same_command(got, wanted):
    """A value that follows from times that the history does not fix is left open."""
    return any(got.startswith(want) if want.endswith("=") else got == want
               for want in wanted.split("|"))


def compare(history, variant, findings):
    """Returns what is missing, what is too much, and commands that are wrong."""
    want = expected(history, variant)
    dev = 1 if variant == "second-gpu" else 0
    got = {key_of(finding): command_of(finding, dev or None) for finding in findings}
    wrong = [f"{key}: {got[key]} instead of {command}" for key, command in want.items()
             if command and key in got and not same_command(got[key], command)]
    wrong += [f"{key_of(f)}: on GPU {f['dev']}" for f in findings if f["dev"] not in (None, dev)]
    return sorted(set(want) - set(got)), sorted(set(got) - set(want)), wrong


class Score:
    def __init__(self):
        self.right = self.missed = self.false = 0

    def add(self, want, missing, extra):
        self.right += want - missing
        self.missed += missing
        self.false += extra


def variants_of(nr, every):
    """Of history @nr: all, or as it is and one of the others, in turn."""
    plain, *others = VARIANTS
    return VARIANTS if every else [plain, others[nr % len(others)]]


def judge_all(report, every=True):
    """Runs all; calls report(name, missing, extra, wrong) for each. Returns rule -> Score.
    Not @every: two variants of each history."""
    scores = {}
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "trace.dat")
        for nr, history in enumerate(list(causes()) + list(healthy()) + recordings()):
            for variant in variants_of(nr, every):
                if variant in getattr(history, "without", []):
                    continue
                findings = found(history, variant, path)
                missing, extra, wrong = compare(history, variant, findings)
                wrong += differs(findings, path)
                for key in set(expected(history, variant)) | set(extra):
                    score = scores.setdefault(key.split()[0], Score())
                    score.add(key in expected(history, variant), key in missing, key in extra)
                report(f"{history.name} ({variant})", missing, extra, wrong)
    return scores
