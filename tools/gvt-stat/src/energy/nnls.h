/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Non-negative least squares.
 */
#ifndef GVT_STAT_ENERGY_NNLS_H
#define GVT_STAT_ENERGY_NNLS_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

/**
 * nnls - the x >= 0 for which |A x - b| is least
 * @gram: A^T A, with 1 on its diagonal or little else; not singular
 * @right: A^T b
 * @x: set
 *
 * The active set method of Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23,
 * on the normal equations as Bro and de Jong, Journal of Chemometrics 11, 1997.
 */
void nnls(const gsl_matrix *gram, const gsl_vector *right, gsl_vector *x);

#endif
