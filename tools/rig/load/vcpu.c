// SPDX-License-Identifier: GPL-2.0-or-later
#include "vcpu.h"

#include <errno.h>
#include <linux/kvm.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u
#define PRESENT_WRITABLE 3u
#define LARGE (1u << 7)
#define CR0_PE (1u << 0)
#define CR0_MP (1u << 1)
#define CR0_NE (1u << 5)
#define CR0_PG (1u << 31)
#define CR4_PAE (1u << 5)
#define CR4_OSFXSR (1u << 9)
#define EFER_LME (1u << 8)
#define EFER_LMA (1u << 10)
#define CPUID_ENTRIES 128

/* The pages of a CPU */
enum { PAGE_PML4, PAGE_PDP, PAGE_PD, PAGE_CODE, PAGE_LIST };

/*
 * rsi: array of struct vcpu_store, rcx: their number. The code does not end with hlt: KVM continues
 * behind a hlt that it emulates, and KVM emulates each instruction while the CPU's own page tables
 * are write-protected because the guest has used them as the GPU's.
 */
extern const uint8_t vcpu_code[], vcpu_code_end[];
__asm__(
	".pushsection .rodata\n"
	"vcpu_code:\n"
	"1:	mov (%rsi), %rdi\n"
	"	mov 8(%rsi), %rdx\n"
	"	mov 16(%rsi), %rax\n"
	"	cmp $1, %rdx\n"
	"	jne 2f\n"
	"	mov %al, (%rdi)\n"
	"	jmp 9f\n"
	"2:	cmp $2, %rdx\n"
	"	jne 4f\n"
	"	mov %ax, (%rdi)\n"
	"	jmp 9f\n"
	"4:	cmp $4, %rdx\n"
	"	jne 8f\n"
	"	mov %eax, (%rdi)\n"
	"	jmp 9f\n"
	"8:	cmp $8, %rdx\n"
	"	jne 16f\n"
	"	mov %rax, (%rdi)\n"
	"	jmp 9f\n"
	"16:	movdqu 16(%rsi), %xmm0\n"
	"	movdqu %xmm0, (%rdi)\n"
	"9:	add $32, %rsi\n"
	"	dec %rcx\n"
	"	jnz 1b\n"
	"	out %al, $0x80\n"
	"vcpu_code_end:\n"
	".popsection\n");

static void write64(struct vcpu *c, unsigned int page, unsigned int index, uint64_t value)
{
	memcpy(c->memory + page * PAGE + index * sizeof(value), &value, sizeof(value));
}

/* Addresses below 1 GB are physical ones. */
static void map_memory_to_itself(struct vcpu *c)
{
	memset(c->memory, 0, VCPU_PAGES * PAGE);
	write64(c, PAGE_PML4, 0, (c->pages + PAGE_PDP * PAGE) | PRESENT_WRITABLE);
	write64(c, PAGE_PDP, 0, (c->pages + PAGE_PD * PAGE) | PRESENT_WRITABLE);
	for (uint64_t i = 0; i < PAGE / sizeof(uint64_t); i++)
		write64(c, PAGE_PD, (unsigned int)i, i << 21 | LARGE | PRESENT_WRITABLE);
	memcpy(c->memory + PAGE_CODE * PAGE, vcpu_code, (size_t)(vcpu_code_end - vcpu_code));
}

static int enter_64_bit_mode(struct vcpu *c)
{
	const struct kvm_segment data = {
		.limit = 0xffffffff, .selector = 16, .type = 3, .present = 1, .db = 1, .s = 1, .g = 1,
	};
	const struct kvm_segment code = {
		.limit = 0xffffffff, .selector = 8, .type = 11, .present = 1, .l = 1, .s = 1, .g = 1,
	};
	struct kvm_sregs s;

	if (ioctl(c->fd, KVM_GET_SREGS, &s))
		return -errno;
	s.cs = code;
	s.ds = s.es = s.fs = s.gs = s.ss = data;
	s.cr3 = c->pages;
	s.cr4 = CR4_PAE | CR4_OSFXSR;
	s.cr0 = CR0_PE | CR0_MP | CR0_NE | CR0_PG;
	s.efer = EFER_LME | EFER_LMA;
	return ioctl(c->fd, KVM_SET_SREGS, &s) ? -errno : 0;
}

/* 64-bit mode is a CPU feature that has to be enabled. */
static int have_features(struct vcpu *c, int kvm)
{
	union {
		struct kvm_cpuid2 cpuid;
		uint8_t bytes[sizeof(struct kvm_cpuid2) + CPUID_ENTRIES * sizeof(struct kvm_cpuid_entry2)];
	} all = { .cpuid.nent = CPUID_ENTRIES };

	return ioctl(kvm, KVM_GET_SUPPORTED_CPUID, &all) || ioctl(c->fd, KVM_SET_CPUID2, &all) ? -errno : 0;
}

static int map_run(struct vcpu *c, int kvm)
{
	int bytes = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);

	if (bytes < 0)
		return -errno;
	c->run_bytes = (size_t)bytes;
	c->run = mmap(NULL, c->run_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	return c->run == MAP_FAILED ? -errno : 0;
}

int vcpu_open(struct vcpu *c, int kvm, int vm, unsigned int id, uint8_t *memory, uint64_t pages)
{
	int err;

	*c = (struct vcpu) { .run = MAP_FAILED, .pages = pages, .memory = memory + pages };
	c->fd = ioctl(vm, KVM_CREATE_VCPU, id);
	if (c->fd < 0)
		return -errno;
	map_memory_to_itself(c);
	err = have_features(c, kvm);
	err = err ? err : map_run(c, kvm);
	return err ? err : enter_64_bit_mode(c);
}

void vcpu_close(struct vcpu *c)
{
	if (c->run != MAP_FAILED)
		munmap(c->run, c->run_bytes);
	if (c->fd >= 0)
		close(c->fd);
}

/* Complete the access that ended the run before changing registers. */
static int complete_exit(struct vcpu *c)
{
	struct kvm_run *run = c->run;
	int ret;

	run->immediate_exit = 1;
	ret = ioctl(c->fd, KVM_RUN, 0) && errno != EINTR ? -errno : 0;
	run->immediate_exit = 0;
	return ret;
}

int vcpu_store(struct vcpu *c, const struct vcpu_store *stores, size_t n)
{
	const struct kvm_run *run = c->run;
	struct kvm_regs regs = {
		.rip = c->pages + PAGE_CODE * PAGE,
		.rsi = c->pages + PAGE_LIST * PAGE,
		.rcx = n,
		.rflags = 2,
	};

	if (n > VCPU_STORES)
		return -E2BIG;
	if (!n)
		return 0;
	memcpy(c->memory + PAGE_LIST * PAGE, stores, n * sizeof(*stores));
	if (ioctl(c->fd, KVM_SET_REGS, &regs))
		return -errno;
	while (ioctl(c->fd, KVM_RUN, 0))
		if (errno != EINTR && errno != EAGAIN)
			return -errno;
	return run->exit_reason == KVM_EXIT_IO ? complete_exit(c) : -EIO;
}
