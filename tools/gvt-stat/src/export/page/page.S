/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.html and pair.html with their styles and programs, as the Makefile puts them together */
	.section .rodata
	.global page_text, page_text_end, pair_text, pair_text_end
page_text:
	.incbin "page.html"
page_text_end:
	.byte 0
pair_text:
	.incbin "pair.html"
pair_text_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
