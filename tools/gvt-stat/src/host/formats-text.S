/* SPDX-License-Identifier: GPL-2.0-or-later */
/* formats of kvmgt's events, as the Makefile puts them together */
	.section .rodata
	.global formats_text
formats_text:
	.incbin "formats.txt"
	.byte 0
	.section .note.GNU-stack, "", %progbits
