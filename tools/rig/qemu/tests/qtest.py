# SPDX-License-Identifier: GPL-2.0-or-later
"""A QEMU under the control of the qtest protocol."""

import os
import subprocess
import sys
import tempfile


QEMU = os.environ.get("QEMU") or sys.exit(
    "QEMU is not set: give the path of build-qemu's binary")


class QtestError(Exception):
    """QEMU refused to start, died, or did not understand."""


class Qtest:
    """QEMU with an emulated GPU, no CPU running, memory and clock in our hand.

    device: properties of gen9-igpu, as after "-device gen9-igpu,".
    """

    def __init__(self, device="", memory_mb=64):
        self.dir = tempfile.TemporaryDirectory(prefix="gen9-test.")
        bios = self.path("bios")
        with open(bios, "wb") as f:
            f.write(bytes(64 * 1024))
        self.errors = open(self.path("stderr"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [QEMU, "-machine", "q35,accel=qtest",
             "-nodefaults", "-display", "none", "-vga", "none",
             "-bios", bios, "-m", str(memory_mb), "-qtest", "stdio",
             "-qtest-log", "none",
             "-device", f"gen9-igpu,addr=02.0,truth-log={self.path('truth')}"
             + ("," + device if device else "")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors, bufsize=0)
        self.reader = os.fdopen(os.dup(self.process.stdout.fileno()), "r")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.quit()

    def path(self, name):
        """A file name in a directory that goes away with the machine."""
        return os.path.join(self.dir.name, name)

    def truth(self):
        """Lines of the truth log as lists of words."""
        with open(self.path("truth"), encoding="utf-8") as f:
            return [line.split() for line in f if not line.startswith("#")]

    def notes(self, kind):
        """Notes of switched registers in the truth log, as lists of words."""
        with open(self.path("truth"), encoding="utf-8") as f:
            return [line.split()[2:] for line in f
                    if line.startswith(f"# {kind} ")]

    def stderr(self):
        """What QEMU has said so far."""
        with open(self.errors.name, encoding="utf-8") as f:
            return f.read()

    def quit(self):
        """End QEMU; an exit other than by our signal is an error."""
        self.process.terminate()
        try:
            code = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        text = self.stderr()
        self.reader.close()
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()
        self.dir.cleanup()
        if code not in (0, -15) or "runtime error:" in text:
            raise QtestError(f"QEMU ended with {code}: {text.strip()}")

    def send(self, lines):
        """Send several commands at once; returns their answers."""
        try:
            self.process.stdin.write("".join(
                line + "\n" for line in lines).encode())
        except BrokenPipeError:
            pass
        return [self._answer(line) for line in lines]

    def _answer(self, line):
        answer = self.reader.readline()
        while answer.startswith("IRQ "):
            answer = self.reader.readline()
        if not answer:
            self.process.wait(60)
            raise QtestError(f"QEMU died at '{line}': {self.stderr().strip()}")
        if not answer.startswith("OK"):
            raise QtestError(f"'{line}' got '{answer.strip()}'")
        return answer[2:].strip()

    def command(self, line):
        """Send one command; returns its answer."""
        return self.send([line])[0]

    def number(self, line):
        """Send a command whose answer is a number."""
        return int(self.command(line), 0)

    def readl(self, addr):
        """Read 32 bits of memory or a memory mapped register."""
        return self.number(f"readl {addr:#x}")

    def writel(self, addr, val):
        """Write 32 bits."""
        self.command(f"writel {addr:#x} {val:#x}")

    def readq(self, addr):
        """Read 64 bits."""
        return self.number(f"readq {addr:#x}")

    def writeq(self, addr, val):
        """Write 64 bits."""
        self.command(f"writeq {addr:#x} {val:#x}")

    def write_dwords(self, addr, dwords):
        """Write a sequence of 32-bit values."""
        data = b"".join((d & 0xffffffff).to_bytes(4, "little") for d in dwords)
        self.command(f"write {addr:#x} {len(data)} 0x{data.hex()}")

    def config_read(self, offset):
        """Read 32 bits of the GPU's configuration space."""
        self.command(f"outl 0xcf8 {0x80001000 | offset:#x}")
        return self.number("inl 0xcfc")

    def config_write(self, offset, val):
        """Write 32 bits of the GPU's configuration space."""
        self.send([f"outl 0xcf8 {0x80001000 | offset:#x}",
                   f"outl 0xcfc {val:#x}"])

    def advance(self, ns):
        """Let virtual time pass; returns what it is then."""
        return self.number(f"clock_step {ns}")
