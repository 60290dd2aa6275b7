/*
 * Intel Gen9 integrated GPU, functional model: option ROM with a video BIOS
 * table
 *
 * The table declares no display output.  Without a table the Linux driver
 * assumes an eDP panel on port A and DVI on B to D and spends a minute
 * looking for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qapi/error.h"
#include "gen9_igpu.h"

#define ROM_BYTES       4096
#define ROM_PCIR        0x40
#define ROM_VBT         0x100
#define VBT_HEADER      48
#define BDB_HEADER      22
#define BDB_VERSION     205
#define BLOCK_HEADER    3
#define BLOCK_GENERAL   2           /* general definitions */
#define GENERAL_BYTES   5           /* no child device follows */
#define CHILD_BYTES     38
#define BDB_BYTES       (BDB_HEADER + BLOCK_HEADER + GENERAL_BYTES)

static void write_bdb(uint8_t *p)
{
    memcpy(p, "BIOS_DATA_BLOCK ", 16);
    stw_le_p(p + 16, BDB_VERSION);
    stw_le_p(p + 18, BDB_HEADER);
    stw_le_p(p + 20, BDB_BYTES);
    p += BDB_HEADER;
    p[0] = BLOCK_GENERAL;
    stw_le_p(p + 1, GENERAL_BYTES);
    p[BLOCK_HEADER + GENERAL_BYTES - 1] = CHILD_BYTES;
}

static void write_vbt(uint8_t *p)
{
    memcpy(p, "$VBT SKYLAKE        ", 20);
    stw_le_p(p + 20, 100);                      /* version */
    stw_le_p(p + 22, VBT_HEADER);
    stw_le_p(p + 24, VBT_HEADER + BDB_BYTES);
    stl_le_p(p + 28, VBT_HEADER);               /* offset of the BDB */
    write_bdb(p + VBT_HEADER);
}

static void write_pcir(uint8_t *p, uint16_t device_id)
{
    memcpy(p, "PCIR", 4);
    stw_le_p(p + 4, PCI_VENDOR_ID_INTEL);
    stw_le_p(p + 6, device_id);
    stw_le_p(p + 10, 0x18);                     /* length of this structure */
    stw_le_p(p + 14, PCI_CLASS_DISPLAY_OTHER);
    stw_le_p(p + 16, ROM_BYTES / 512);
    p[21] = 0x80;                               /* last image */
}

bool gen9_vbt_init(Gen9State *s, Error **errp)
{
    uint8_t *p;

    if (!memory_region_init_rom(&s->rom, OBJECT(s), "gen9-igpu.rom",
                                ROM_BYTES, errp)) {
        return false;
    }
    p = memory_region_get_ram_ptr(&s->rom);
    p[0] = 0x55;
    p[1] = 0xaa;
    p[2] = ROM_BYTES / 512;
    p[3] = 0xcb;                                /* entry point: retf */
    stw_le_p(p + 0x18, ROM_PCIR);
    write_pcir(p + ROM_PCIR, s->device_id);
    write_vbt(p + ROM_VBT);
    for (int i = 0; i < ROM_BYTES - 1; i++) {
        p[ROM_BYTES - 1] -= p[i];               /* all bytes add up to zero */
    }
    pci_register_bar(PCI_DEVICE(s), PCI_ROM_SLOT, 0, &s->rom);
    return true;
}
