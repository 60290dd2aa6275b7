// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests of whose an address is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "address.h"

#define RING_LOW 0x00abcdefull		/* in the aperture */
#define RINGS_OF_TWO 0xcfdd65bcull	/* where i915's are beside two vGPUs */
#define RINGS_OF_EACH 0x18000000ull	/* and so much lower for each more */

static void an_address_is_its_owners(void **state)
{
	(void)state;
	for (unsigned int owner = 1; owner <= ADDRESS_MAX; owner++)
		for (unsigned int reader = 1; reader <= ADDRESS_MAX; reader++)
			assert_int_equal(address_owner(address_of(owner) + 0xffff00, reader),
					 owner == reader ? ADDRESS_OWN : ADDRESS_FOREIGN);
}

static void a_ring_is_nobodys(void **state)
{
	(void)state;
	for (unsigned int reader = 1; reader <= ADDRESS_MAX; reader++) {
		assert_int_equal(address_owner(0, reader), ADDRESS_NOBODY);
		assert_int_equal(address_owner(RING_LOW, reader), ADDRESS_NOBODY);
		for (uint64_t vgpus = 0; vgpus < 6; vgpus++)
			assert_int_equal(address_owner(RINGS_OF_TWO - vgpus * RINGS_OF_EACH, reader),
					 ADDRESS_NOBODY);
	}
}

/* The own batch began or ended between the reads of the halves */
static void half_a_ring_is_nobodys(void **state)
{
	const uint64_t high = address_of(3) & ~0xffffffffull, low = address_of(3) & 0xffffffff;

	(void)state;
	assert_int_equal(address_owner(high | RING_LOW, 3), ADDRESS_NOBODY);
	assert_int_equal(address_owner(high | RINGS_OF_TWO, 3), ADDRESS_NOBODY);
	assert_int_equal(address_owner(low, 3), ADDRESS_NOBODY);
}

static void half_an_address_is_enough(void **state)
{
	const uint64_t high = address_of(3) & ~0xffffffffull, low = address_of(3) & 0xffffffff;

	(void)state;
	assert_int_equal(address_owner(high | RING_LOW, 2), ADDRESS_FOREIGN);
	assert_int_equal(address_owner(low, 2), ADDRESS_FOREIGN);
	assert_int_equal(address_owner(high | (address_of(2) & 0xffffffff), 3), ADDRESS_FOREIGN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_its_owners),
		cmocka_unit_test(a_ring_is_nobodys),
		cmocka_unit_test(half_a_ring_is_nobodys),
		cmocka_unit_test(half_an_address_is_enough),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
