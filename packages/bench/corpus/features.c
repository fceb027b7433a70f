/* A small program made of what makes functions hard to find: every construct that compilers lower in a special way. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define COLD __attribute__((cold, noinline))

extern volatile int source;
volatile int source = 7;
static volatile int sink;

/* Functions that never return, directly and through another. */
COLD static void give_up(int code) { sink = code; abort(); }
COLD static void give_up_politely(const char *why) { sink += (int)strlen(why); give_up(2); }

/* Dense, sparse, nested and character switches. */
NOINLINE static int dense(int x) {
  switch (x) {
    case 0: return source + 3; case 1: return source * 5; case 2: sink = 4; return 9; case 3: return source - x;
    case 4: return source << 2; case 5: sink = x; return 11; case 6: return source / 3; case 7: return ~source;
    case 8: sink = source; return 1; case 9: return source % 13; case 10: return x * x; case 11: return source ^ x;
    default: return -1;
  }
}
NOINLINE static int sparse(unsigned x) {
  switch (x) {
    case 3: return dense(1); case 90: return dense(2); case 1000: return 77; case 40000: return dense(5) + 1;
    case 70000: return 5; case 900000: return dense(7); default: give_up_politely("sparse"); return 0;
  }
}
NOINLINE static int nested(int x, int y) {
  switch (x & 7) {
    case 0: switch (y) { case 1: return 10; case 2: return dense(y); case 3: return 30 + source; case 4: return sink; case 5: return 2; } break;
    case 1: return dense(y); case 2: return sparse((unsigned)y); case 3: sink = y; break; case 4: return y * 3;
    case 5: sink = x; return y; case 6: return source; default: return x - y;
  }
  return 4;
}
NOINLINE static int token(const char *text) {
  int total = 0;
  for (; *text; text++) {
    switch (*text) {
      case '+': total += 1; break; case '-': total -= 1; break; case '*': total *= 3; break; case '/': total /= 2; break;
      case '(': total ^= 5; break; case ')': total ^= 9; break; case '!': total = ~total; break; case '%': total %= 17; break;
      case '0': case '1': case '2': case '3': case '4': total = total * 10 + (*text - '0'); break;
      case 'a': total += dense(total & 15); break; case 'z': return total; default: sink = *text;
    }
  }
  return total;
}

/* Computed goto: a table of labels inside a function. */
NOINLINE static int machine(const uint8_t *code) {
  static const void *const steps[] = {&&stop, &&push, &&add, &&mul, &&neg, &&dup};
  int stack[16] = {0}, top = 0;
  goto *steps[*code];
push: stack[top++ & 15] = *++code; code++; goto *steps[*code % 6];
add:  stack[(top - 2) & 15] += stack[(top - 1) & 15]; top--; code++; goto *steps[*code % 6];
mul:  stack[(top - 2) & 15] *= stack[(top - 1) & 15]; top--; code++; goto *steps[*code % 6];
neg:  stack[(top - 1) & 15] = -stack[(top - 1) & 15]; code++; goto *steps[*code % 6];
dup:  stack[top & 15] = stack[(top - 1) & 15]; top++; code++; goto *steps[*code % 6];
stop: return stack[0];
}

/* Functions that only a table leads to, in read-only and in writable data. */
static int op_add(int a, int b) { return a + b + source; }
static int op_sub(int a, int b) { return a - b; }
static int op_mix(int a, int b) { return dense(a & 15) ^ b; }
static int op_loop(int a, int b) { int n = 0; while (b-- > 0) n += dense(a++ & 7); return n; }
static int op_fail(int a, int b) { if (a > b) give_up(a); return b; }
typedef int (*operation)(int, int);
static const struct { const char *name; operation run; } operations[] = {
  {"add", op_add}, {"sub", op_sub}, {"mix", op_mix}, {"loop", op_loop}, {"fail", op_fail},
};
static int first_hook(int a, int b) { return source + a * b; }
static int second_hook(int a, int b) { sink = a; return b; }
operation hooks[4] = {first_hook, second_hook};

/* Tail calls: to a function, through a pointer, and in mutual recursion. */
NOINLINE static int odd(unsigned n);
NOINLINE static int even(unsigned n) { if (n == 0) return 1; sink = (int)n; return odd(n - 1); }
NOINLINE static int odd(unsigned n) { if (n == 0) return 0; source = (int)n; return even(n - 1); }
NOINLINE static int dispatch(unsigned which, int a, int b) { return operations[which % 5].run(a, b); }
NOINLINE static int forward(int a) { sink = a; return dense(a + 1); }

/* Recursion that builds a frame, a large frame, variable length arrays. */
NOINLINE static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
NOINLINE static int big_frame(int n) { volatile char room[70000]; room[n] = 3; return room[n / 2] + dense(n); }
NOINLINE static int varying(int n) { volatile int room[n + 1]; for (int i = 0; i <= n; i++) room[i] = i * source; return room[n / 2]; }

/* Varargs, floating point, 64-bit and struct values. */
NOINLINE static long sum(int count, ...) {
  va_list list; long total = 0;
  va_start(list, count);
  while (count-- > 0) total += va_arg(list, int);
  va_end(list);
  return total;
}
NOINLINE static double polynomial(double x, const double *factors, int count) {
  double y = 0;
  for (int i = 0; i < count; i++) y = y * x + factors[i];
  return y > 1e9 ? 1e9 : y < -1e9 ? -1e9 : y;
}
struct triple { int64_t a; double b; char c[24]; };
NOINLINE static struct triple combine(struct triple one, struct triple two) {
  one.a += two.a * 3; one.b = polynomial(one.b, &two.b, 1); memcpy(one.c, two.c + 1, 20);
  return one;
}
NOINLINE static uint64_t spread(uint64_t value) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < 8; i++) { hash ^= value & 255; hash *= 0x100000001b3u; value >>= 8; }
  return hash;
}

/* A function with an unlikely part, and a comparison routine that only a library call sees. */
NOINLINE static int guarded(const char *text, size_t length) {
  if (__builtin_expect(text == NULL, 0)) give_up_politely("no text");
  if (__builtin_expect(length > 4000, 0)) { sink = (int)length; give_up((int)length); }
  int total = 0;
  for (size_t i = 0; i < length; i++) total = total * 31 + text[i];
  return total;
}
static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_last_digit(const void *a, const void *b) { return *(const int *)a % 10 - *(const int *)b % 10; }

static const char *const words[] = {"alpha", "beta", "gamma", "delta", "epsilon"};
static int numbers[] = {5, 3, 9, 1, 12, 8};

int everything(int argc, const char *text) {
  static const double factors[] = {1.5, -2.25, 0.125, 3};
  static const uint8_t program[] = {1, 5, 1, 6, 3, 5, 2, 4, 0};
  struct triple one = {source, 2.5, "abcdefghijklmnopqrs"}, two = {argc, 0.5, "zyxwvutsrqponmlkjih"};
  int total = nested(argc, source) + token(text) + machine(program) + (int)ackermann(2, (unsigned)argc & 3);
  total += even((unsigned)argc) + dispatch((unsigned)argc, argc, source) + forward(argc) + big_frame(argc & 1023);
  total += varying(argc & 63) + (int)sum(3, argc, source, total) + (int)polynomial(argc, factors, 4);
  total += (int)combine(one, two).a + (int)spread((uint64_t)total) + guarded(words[argc % 5], strlen(words[argc % 5]));
  qsort(numbers, sizeof numbers / sizeof *numbers, sizeof *numbers, argc > 1 ? ascending : by_last_digit);
  if (hooks[argc & 1]) total += hooks[argc & 1](argc, total);
  return total + numbers[0] + sparse(3);
}

int main(int argc, char **argv) { return everything(argc, argc > 1 ? argv[1] : "12+3*a") & 127; }
