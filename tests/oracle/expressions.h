// Expressions of two numbers, x and y, for tests of the meaning of numbers: tests/oracle.py makes codelets of them, and
// plain C++ of the same text. Each E is one expression. Macros (QUOTIENT, REMAINDER, LEFT, RIGHT and TO) stand for the
// operations that C++ leaves open and the language defines (docs/language.md, Numbers).

// Expressions of integers; the value is kept as long.
#define INTEGER_EXPRESSIONS(E)                                                                     \
  E(x + y)                                                                                         \
  E(x - y)                                                                                         \
  E(x * y)                                                                                         \
  E(-x)                                                                                            \
  E(~x)                                                                                            \
  E(+x)                                                                                            \
  E(!x)                                                                                            \
  E(x * y + x)                                                                                     \
  E(x * x - y * y)                                                                                 \
  E((x + y) * (x - y))                                                                             \
  E(x + 1 > x)                                                                                     \
  E(x - 1 < y)                                                                                     \
  E(x * 2 / 2)                                                                                     \
  E(x * x < 0)                                                                                     \
  E(-x - 1)                                                                                        \
  E(x < y)                                                                                         \
  E(x <= y)                                                                                        \
  E(x > y)                                                                                         \
  E(x >= y)                                                                                        \
  E(x == y)                                                                                        \
  E(x != y)                                                                                        \
  E(x & y)                                                                                         \
  E(x | y)                                                                                         \
  E(x ^ y)                                                                                         \
  E(x && y)                                                                                        \
  E(x || !y)                                                                                       \
  E(x < y ? x : y)                                                                                 \
  E(x < 0 ? -x : x)                                                                                \
  E((x < 0 ? -x : x) % 7)                                                                          \
  E(y == 0 ? x : QUOTIENT(x, y))                                                                   \
  E(y == 0 ? x : REMAINDER(x, y))                                                                  \
  E(x / 3)                                                                                         \
  E(x % 10)                                                                                        \
  E(x / -7)                                                                                        \
  E(LEFT(x, y))                                                                                    \
  E(RIGHT(x, y))                                                                                   \
  E(x << 3)                                                                                        \
  E(x >> 1)                                                                                        \
  E((x >> 2) + (y << 1))                                                                           \
  E(min(x, y))                                                                                     \
  E(max(x, y))                                                                                     \
  E(min(max(x, y), x))                                                                             \
  E(abs(x))                                                                                        \
  E(abs(x) % 7)                                                                                    \
  E(abs(x - y))                                                                                    \
  E((signed char)(x + y))                                                                          \
  E((unsigned char)(x - y))                                                                        \
  E((short)(x * y))                                                                                \
  E((unsigned short)x - y)                                                                         \
  E((int)x + (int)y)                                                                               \
  E((unsigned)x * (unsigned)y)                                                                     \
  E((long)x * (long)y)                                                                             \
  E((unsigned long)x - (unsigned long)y)                                                           \
  E((unsigned)x > (unsigned)y)                                                                     \
  E((long)(x + y) - ((long)x + (long)y))                                                           \
  E((float)x < (float)y)                                                                           \
  E(TO(long, (double)(x + y)))                                                                       \
  E((bool)x + (bool)y)

// Expressions of floating-point numbers; the value is kept in their type.
#define FLOAT_EXPRESSIONS(E)                                                                       \
  E(x + y)                                                                                         \
  E(x - y)                                                                                         \
  E(x * y)                                                                                         \
  E(x / y)                                                                                         \
  E(-x)                                                                                            \
  E(x * y + x)                                                                                     \
  E(x * x - y * y)                                                                                 \
  E(y - x * y)                                                                                     \
  E((x + y) - x)                                                                                   \
  E(x + y * x - y)                                                                                 \
  E(1 / x)                                                                                         \
  E(1 / sqrt(x))                                                                                   \
  E(x * 0)                                                                                         \
  E(x - x)                                                                                         \
  E(0 - x)                                                                                         \
  E(x < y ? x : y)                                                                                 \
  E(x > y ? x : y)                                                                                 \
  E(x > 0 ? x : 0)                                                                                 \
  E(min(x, y))                                                                                     \
  E(max(x, y))                                                                                     \
  E(min(max(x, (TYPE)0), (TYPE)1))                                                                 \
  E(max((TYPE)0, x))                                                                               \
  E(fmin(x, y))                                                                                    \
  E(fmax(x, y))                                                                                    \
  E(fabs(x))                                                                                       \
  E(sqrt(x))                                                                                       \
  E(floor(x))                                                                                      \
  E(ceil(x))                                                                                       \
  E(trunc(x))                                                                                      \
  E(round(x))                                                                                      \
  E(rint(x))                                                                                       \
  E(copysign(x, y))                                                                                \
  E(fma(x, y, x))                                                                                  \
  E((TYPE)(float)x)                                                                                \
  E((TYPE)((double)x * (double)y))                                                                 \
  E((TYPE)(x < y))                                                                                 \
  E((TYPE)TO(int, x))                                                                              \
  E((TYPE)TO(unsigned long, y))

// Expressions of floating-point numbers with an integer value, which is kept as long.
#define DECISIONS(E)                                                                               \
  E(x < y)                                                                                         \
  E(x <= y)                                                                                        \
  E(x > y)                                                                                         \
  E(x >= y)                                                                                        \
  E(x == y)                                                                                        \
  E(x != y)                                                                                        \
  E(x != x)                                                                                        \
  E(!(x < y) && !(y < x))                                                                          \
  E(!x)                                                                                            \
  E(x && y)                                                                                        \
  E((bool)x)                                                                                       \
  E(x * y + x < y)                                                                                 \
  E(x * x - y * y > 0)                                                                             \
  E(TO(signed char, x))                                                                            \
  E(TO(unsigned char, x))                                                                          \
  E(TO(short, x))                                                                                  \
  E(TO(unsigned short, x))                                                                         \
  E(TO(int, x))                                                                                    \
  E(TO(unsigned, x))                                                                               \
  E(TO(long, x))                                                                                   \
  E(TO(unsigned long, x))                                                                          \
  E(TO(int, x * y))                                                                                \
  E(TO(int, floor(x)) + TO(int, ceil(y)))                                                          \
  E(TO(long, x) - TO(long, y))
