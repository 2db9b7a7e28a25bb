/* The fonts of PDFs are read with f32::hypot, whose symbol has version 2.35 in newer glibc. This definition keeps the binary usable with glibc 2.34. A
   double holds the sum of the squares of two floats without overflow. */
#include <math.h>

#ifdef __GLIBC__
float hypotf(float x, float y) {
    return (float)sqrt((double)x * x + (double)y * y);
}
#endif
