#pragma once

/// Elementary functions that do not depend on vector instructions. The C library chooses its own by
/// processor, and changes them between versions. These consist of single additions, subtractions,
/// multiplications and divisions, each rounded as IEEE 754 says, and never fused: the same bits on
/// every machine, but for pow() and large arguments of cos(), which take the extended precision of
/// x86-64. Arguments and results beyond the range of a function are those of <cmath>.
namespace shortfall::portable {

/// Within 1.1 units in the last place; results below 2^-1022 within one more.
double exp(double x);
/// e^x - 1 within 2.6 units; results below 2^-1021 within one more.
double expm1(double x);
/// Within one unit.
double log(double x);
/// log(1 + x) within one unit.
double log1p(double x);
/// Within 2^-52 of the cosine; in extended precision if |x| is above 10^5.
double cos(double x);
/// In extended precision, by the C library: the same with all vector instructions, but processors
/// of another vendor may round one result in thousands differently.
double pow(double base, double exponent);

}  // namespace shortfall::portable
