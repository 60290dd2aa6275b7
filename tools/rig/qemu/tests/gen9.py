# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulated GPU as a driver sees it: BARs, page tables, contexts, rings."""

from qtest import Qtest

BAR0 = 0xd0000000
APERTURE = 0xc0000000
PIO = 0xc000

# guest-physical layout of the tests; the GGTT maps PAGES from 0 one to one
TABLES = 0x200000
HWSP = {"rcs0": 0x300000, "bcs0": 0x301000, "vcs0": 0x302000,
        "vecs0": 0x303000}
CONTEXTS = 0x400000
RINGS = 0x500000
RING_BYTES = 0x4000
BATCHES = 0x600000
RESULTS = 0x700000
PPGTT_BASE = 0x7f_c0000000      # PPGTT address of RESULTS and what follows
GGTT_PAGES = 2048               # 8 MiB

ENGINES = {"rcs0": (0x2000, 0x44300, 0), "bcs0": (0x22000, 0x44300, 16),
           "vcs0": (0x12000, 0x44310, 0), "vecs0": (0x1a000, 0x44330, 0)}
GDRST_BITS = {"rcs0": 1 << 1, "vcs0": 1 << 2, "bcs0": 1 << 3, "vecs0": 1 << 4}

HEAD, TAIL, ACTHD, HWS_PGA, MI_MODE, IMR = 0x34, 0x30, 0x74, 0x80, 0x9c, 0xa8
RESET_CTL, ELSP, STATUS_LO, CSB_PTR, GPR = 0xd0, 0x230, 0x234, 0x3a0, 0x600
IDLE_ACTIVE, PREEMPTED, ELEMENT_SWITCH = 1, 2, 4
ACTIVE_IDLE, COMPLETE, LITE_RESTORE = 8, 16, 1 << 15

NOOP = 0
USER_INTERRUPT = 0x02 << 23
ARB_CHECK = 0x05 << 23
ARB_OFF = 0x08 << 23
ARB_ON = 0x08 << 23 | 1
BATCH_END = 0x0a << 23
GGTT = 1 << 22


def busy(units):
    """MI_NOOP that takes so many units of time."""
    return 1 << 22 | units


def split(addr):
    """Low and high dword."""
    return [addr & 0xffffffff, addr >> 32]


def store(addr, val, ggtt=True):
    """MI_STORE_DATA_IMM."""
    return [0x20 << 23 | (GGTT if ggtt else 0) | 2, *split(addr), val]


def batch_start(addr, ppgtt=True, second=False):
    """MI_BATCH_BUFFER_START."""
    return [0x31 << 23 | (1 << 22 if second else 0) |
            (1 << 8 if ppgtt else 0) | 1, *split(addr)]


def load_register(*pairs):
    """MI_LOAD_REGISTER_IMM of (register, value) pairs."""
    return [0x22 << 23 | (2 * len(pairs) - 1), *[d for p in pairs for d in p]]


def walker(*dims):
    """GPGPU_WALKER: start and end of its thread groups in x, y and z."""
    return [0x7105000d, 0, 0, 0, 0, dims[0], 0, dims[1], dims[2], 0,
            dims[3], dims[4], dims[5], 0, 0]


def store_register(reg, addr):
    """MI_STORE_REGISTER_MEM into the GGTT."""
    return [0x24 << 23 | GGTT | 2, reg, *split(addr)]


def run_alone(gpu, context, ns=1000000):
    """Submit the context, let it finish, return its truth log line."""
    gpu.submit(context)
    gpu.advance(ns)
    lines = [l for l in gpu.truth() if int(l[1], 16) == context.lrca]
    assert lines, f"{context.engine} did not finish"
    return lines[-1]


class Context:
    """A context of an engine with a ring; number: 0 .. 15."""

    def __init__(self, gpu, engine, number, pml4=0):
        self.gpu, self.engine = gpu, engine
        self.base = ENGINES[engine][0]
        self.ctx_id = number + 1
        self.lrca = CONTEXTS + number * 0x8000
        self.ring = RINGS + number * RING_BYTES
        self.tail = 0
        self._write_image(pml4)

    def _registers(self, first, *offsets):
        pairs = [d for o in offsets for d in (self.base + o, 0)]
        self.gpu.write_dwords(self.lrca + 0x1000 + 4 * first,
                              [0x11001000 | (len(pairs) - 1), *pairs])

    def _write_image(self, pml4):
        self._registers(1, 0x244, 0x34, 0x30, 0x38, 0x3c, 0x168, 0x140, 0x110,
                        0x11c, 0x114, 0x118, 0x1c0, 0x1c4, 0x1c8)
        self._registers(0x21, 0x3a8, 0x28c, 0x288, 0x284, 0x280, 0x27c, 0x278,
                        0x274, 0x270)
        self._registers(0x51, *range(GPR, GPR + 0x80, 4))
        self.poke(3, 0x00090009)        # restore inhibit
        self.poke(9, self.ring)
        self.poke(11, (RING_BYTES - 4096) | 1)
        self.poke(0x33, pml4)

    def poke(self, dword, val):
        """Write a dword of the register state."""
        self.gpu.writel(self.lrca + 0x1000 + 4 * dword, val)

    def peek(self, dword):
        """Read a dword of the register state."""
        return self.gpu.readl(self.lrca + 0x1000 + 4 * dword)

    def emit(self, *dwords):
        """Add commands to the ring."""
        for d in dwords:
            self.gpu.writel(self.ring + self.tail, d)
            self.tail = (self.tail + 4) % RING_BYTES
        if self.tail % 8:
            self.emit(NOOP)
        self.poke(7, self.tail)
        return self

    def descriptor(self):
        """Valid, 48-bit PPGTT, privileged."""
        return self.ctx_id << 32 | self.lrca | 1 << 8 | 3 << 3 | 1


class Gpu(Qtest):
    """The device with its BARs set up and the GGTT mapped one to one."""

    def __init__(self, device=""):
        super().__init__(device)
        self.setup()

    def setup(self):
        """What a driver does first."""
        self.setup_bars()
        self.send([f"writeq {BAR0 + 0x800000 + 8 * p:#x} {p << 12 | 3:#x}"
                   for p in range(1, GGTT_PAGES)])
        for engine in ENGINES:
            self.enable(engine)
        self.wr(0x44200, 1 << 31)

    def restart(self):
        """Reset the machine by the chipset's register, and set it up again."""
        self.command("outb 0xcf9 0x6")
        while self.config_read(4) & 7:
            pass
        self.setup()

    def setup_bars(self):
        """Place the BARs; memory, I/O and bus master on, MSI off."""
        for offset, val in ((0x04, 0), (0x10, BAR0), (0x14, 0),
                            (0x18, APERTURE), (0x1c, 0), (0x20, PIO),
                            (0x30, 0), (0xac, 0), (0x04, 7)):
            self.config_write(offset, val)

    def enable(self, engine):
        """Execution list mode with status page and all interrupts."""
        base, bank, _ = ENGINES[engine]
        self.wr(base + HWS_PGA, HWSP[engine])
        self.wr(base + 0x29c, 0x80008000)
        self.wr(base + CSB_PTR, 0xffff0505)
        self.wr(base + IMR, 0)
        self.wr(bank + 4, 0)
        self.wr(bank + 12, 0xffffffff)

    def rd(self, reg):
        """Read a register."""
        return self.readl(BAR0 + reg)

    def wr(self, reg, val):
        """Write a register."""
        self.writel(BAR0 + reg, val)

    def causes(self, engine):
        """Interrupt causes of an engine that are pending; clears them."""
        _, bank, shift = ENGINES[engine]
        bits = self.rd(bank + 8) & 0xffff << shift
        self.wr(bank + 8, bits)
        return bits >> shift

    def submit(self, first, second=None):
        """Write descriptors of one or two contexts to the ELSP."""
        reg = BAR0 + first.base + ELSP
        self.send([f"writel {reg:#x} {d:#x}" for c in (second, first)
                   for d in reversed(split(c.descriptor() if c else 0))])

    def csb(self, engine):
        """All (status, context id) entries since the engine's last reset."""
        wp = self.readl(HWSP[engine] + 0x1f * 4)
        return [(self.readl(HWSP[engine] + 0x40 + 8 * i),
                 self.readl(HWSP[engine] + 0x44 + 8 * i))
                for i in range(wp + 1)]

    def reset(self, engine):
        """The reset handshake that i915 does."""
        base = ENGINES[engine][0]
        self.wr(base + RESET_CTL, 0x10001)
        assert self.rd(base + RESET_CTL) & 2, "engine not ready for reset"
        self.wr(0x941c, GDRST_BITS[engine])
        assert not self.rd(0x941c), "GDRST does not clear itself"
        self.wr(base + RESET_CTL, 0x10000)

    def map_ppgtt(self):
        """Four-level tables: PPGTT_BASE is RESULTS, one 4 KiB page table.

        Returns the address of the top level.
        """
        pml4, pdp, pd, pt = (TABLES + i * 0x1000 for i in range(4))
        self.writeq(pml4 + 8 * (PPGTT_BASE >> 39 & 511), pdp | 3)
        self.writeq(pdp + 8 * (PPGTT_BASE >> 30 & 511), pd | 3)
        self.writeq(pd + 8 * (PPGTT_BASE >> 21 & 511), pt | 3)
        for i in range(16):
            self.writeq(pt + 8 * i, RESULTS + i * 0x1000 | 3)
        return pml4
