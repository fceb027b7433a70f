import { armOperations } from "./arm-operations.js";

/** What pseudocode needs beside the standard headers. C11 with the extensions of gcc and clang. */
const headerText = `/* rea.h: types and operations that REA's pseudocode uses. */
#ifndef REA_H
#define REA_H
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#include <math.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Pseudocode reads memory by width and lets integers wrap, as processors do; each floating operation rounds by itself. */
#pragma GCC optimize("no-strict-aliasing", "wrapv", "fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif
typedef unsigned __int128 rea_u128;
typedef __int128 rea_i128;
typedef unsigned __int128 rea_u128u __attribute__((aligned(1), may_alias));
#define REA_OP static inline __attribute__((unused))

/* Bit patterns of floating numbers. */
REA_OP float rea_f32(uint32_t bits) { float x; memcpy(&x, &bits, 4); return x; }
REA_OP double rea_f64(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
REA_OP uint32_t rea_bits32(float x) { uint32_t bits; memcpy(&bits, &x, 4); return bits; }
REA_OP uint64_t rea_bits64(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
#define rea_unordered(a, b) __builtin_isunordered(a, b)
/* Of equal or unordered numbers the second is taken. */
REA_OP float rea_fmin32(float a, float b) { return a < b ? a : b; }
REA_OP float rea_fmax32(float a, float b) { return a > b ? a : b; }
REA_OP double rea_fmin64(double a, double b) { return a < b ? a : b; }
REA_OP double rea_fmax64(double a, double b) { return a > b ? a : b; }
REA_OP int32_t rea_round32(double x) { double r = rint(x); return r >= -2147483648.0 && r < 2147483648.0 ? (int32_t)r : (int32_t)0x80000000u; }
REA_OP int64_t rea_round64(double x) { double r = rint(x); return r >= -9223372036854775808.0 && r < 9223372036854775808.0 ? (int64_t)r : (int64_t)0x8000000000000000ul; }

/* Structures that come back in several registers, and their bits. */
#define REA_RECORD(name, fields) \\
  typedef struct { fields } rea_##name; \\
  REA_OP rea_##name rea_to_##name(rea_u128 bits) { rea_##name record; memcpy(&record, &bits, sizeof record); return record; } \\
  REA_OP rea_u128 rea_from_##name(rea_##name record) { rea_u128 bits = 0; memcpy(&bits, &record, sizeof record); return bits; }
REA_RECORD(dd, double first; double second;)
REA_RECORD(ld, int64_t first; double second;)
REA_RECORD(ff, float first; float second;)
REA_RECORD(fff, float first; float second; float third;)
REA_RECORD(ffff, float first; float second; float third; float fourth;)

/* Bits. */
#define REA_ROTATES(T, n) \\
  REA_OP T rea_rol##n(T x, uint32_t by) { by %= n; return by ? (T)(x << by | x >> (n - by)) : x; } \\
  REA_OP T rea_ror##n(T x, uint32_t by) { by %= n; return by ? (T)(x >> by | x << (n - by)) : x; } \\
  REA_OP T rea_ctz##n(T x) { T c = 0; if (!x) return n; while (!(x & 1)) { x >>= 1; c++; } return c; } \\
  REA_OP T rea_clz##n(T x) { T c = 0; while (c < n && !(x >> (n - 1 - c) & 1)) c++; return c; } \\
  REA_OP T rea_popcnt##n(T x) { T c = 0; while (x) { c += x & 1; x >>= 1; } return c; }
REA_ROTATES(uint8_t, 8)
REA_ROTATES(uint16_t, 16)
REA_ROTATES(uint32_t, 32)
REA_ROTATES(uint64_t, 64)
#define rea_bswap16(x) __builtin_bswap16(x)
#define rea_bswap32(x) __builtin_bswap32(x)
#define rea_bswap64(x) __builtin_bswap64(x)
/* True for an even number of ones in the low byte. */
REA_OP int rea_parity(uint8_t x) { return !__builtin_parity(x); }
REA_OP rea_u128 rea_make128(uint64_t high, uint64_t low) { return (rea_u128)high << 64 | low; }
REA_OP rea_u128 rea_insert128(rea_u128 base, rea_u128 value, int from, int bits) {
  rea_u128 hole = bits >= 128 ? ~(rea_u128)0 : ((rea_u128)1 << bits) - 1;
  return (base & ~(hole << from)) | ((value & hole) << from);
}
/* What is not known: left over by a call, or never set. */
REA_OP uint8_t rea_unknown1(void) { return 0; }
REA_OP uint8_t rea_unknown8(void) { return 0; }
REA_OP uint16_t rea_unknown16(void) { return 0; }
REA_OP uint32_t rea_unknown32(void) { return 0; }
REA_OP uint64_t rea_unknown64(void) { return 0; }
REA_OP rea_u128 rea_unknown128(void) { return 0; }
#define rea_trap() __builtin_trap()

/* Lanes of 128 bits, the first lowest. */
#define REA_LANES(T, n) typedef union { rea_u128 whole; T lane[128 / n]; } rea_lanes_##T;
REA_LANES(uint8_t, 8) REA_LANES(uint16_t, 16) REA_LANES(uint32_t, 32) REA_LANES(uint64_t, 64)
REA_LANES(int8_t, 8) REA_LANES(int16_t, 16) REA_LANES(int32_t, 32) REA_LANES(int64_t, 64)
REA_LANES(float, 32) REA_LANES(double, 64)
#define REA_V(name, T, n, expression) \\
  REA_OP rea_u128 rea_v_##name(rea_u128 left, rea_u128 right) { \\
    rea_lanes_##T x, y, r; x.whole = left; y.whole = right; \\
    for (int i = 0; i < 128 / n; i++) { T a = x.lane[i], b = y.lane[i]; (void)a; (void)b; r.lane[i] = (T)(expression); } \\
    return r.whole; }
#define REA_VECTORS(U, S, n) \\
  REA_V(add##n, U, n, a + b) REA_V(sub##n, U, n, a - b) REA_V(mul##n, U, n, (uint64_t)a * b) \\
  REA_V(eq##n, U, n, a == b ? -1 : 0) REA_V(gt##n, S, n, a > b ? -1 : 0) \\
  REA_V(min_s##n, S, n, a < b ? a : b) REA_V(max_s##n, S, n, a > b ? a : b) \\
  REA_V(min_u##n, U, n, a < b ? a : b) REA_V(max_u##n, U, n, a > b ? a : b) \\
  REA_V(adds_u##n, U, n, (U)(a + b) < a ? -1 : a + b) REA_V(subs_u##n, U, n, a < b ? 0 : a - b) \\
  REA_V(avg_u##n, U, n, ((rea_u128)a + b + 1) >> 1) \\
  REA_V(mulhi_u##n, U, n, ((rea_u128)a * b) >> n) REA_V(mulhi_s##n, S, n, ((rea_i128)a * b) >> n) \\
  REA_OP rea_u128 rea_v_shl##n(rea_u128 v, rea_u128 by) { rea_lanes_##U x; x.whole = v; for (int i = 0; i < 128 / n; i++) x.lane[i] = (uint64_t)by >= n ? 0 : (U)(x.lane[i] << (int)by); return x.whole; } \\
  REA_OP rea_u128 rea_v_shr##n(rea_u128 v, rea_u128 by) { rea_lanes_##U x; x.whole = v; for (int i = 0; i < 128 / n; i++) x.lane[i] = (uint64_t)by >= n ? 0 : (U)(x.lane[i] >> (int)by); return x.whole; } \\
  REA_OP rea_u128 rea_v_sar##n(rea_u128 v, rea_u128 by) { rea_lanes_##S x; x.whole = v; for (int i = 0; i < 128 / n; i++) x.lane[i] = x.lane[i] >> ((uint64_t)by >= n ? n - 1 : (int)by); return x.whole; } \\
  REA_OP rea_u128 rea_v_abs##n(rea_u128 v) { rea_lanes_##S x; x.whole = v; for (int i = 0; i < 128 / n; i++) x.lane[i] = (S)(x.lane[i] < 0 ? -(U)x.lane[i] : x.lane[i]); return x.whole; } \\
  REA_OP rea_u128 rea_v_unpack_low##n(rea_u128 left, rea_u128 right) { rea_lanes_##U x, y, r; x.whole = left; y.whole = right; for (int i = 0; i < 128 / n; i++) r.lane[i] = i & 1 ? y.lane[i >> 1] : x.lane[i >> 1]; return r.whole; } \\
  REA_OP rea_u128 rea_v_unpack_high##n(rea_u128 left, rea_u128 right) { rea_lanes_##U x, y, r; x.whole = left; y.whole = right; for (int i = 0; i < 128 / n; i++) r.lane[i] = i & 1 ? y.lane[64 / n + (i >> 1)] : x.lane[64 / n + (i >> 1)]; return r.whole; }
REA_VECTORS(uint8_t, int8_t, 8)
REA_VECTORS(uint16_t, int16_t, 16)
REA_VECTORS(uint32_t, int32_t, 32)
REA_VECTORS(uint64_t, int64_t, 64)
#define REA_CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
REA_V(adds_s8, int8_t, 8, REA_CLAMP(a + b, -128, 127)) REA_V(subs_s8, int8_t, 8, REA_CLAMP(a - b, -128, 127))
REA_V(adds_s16, int16_t, 16, REA_CLAMP(a + b, -32768, 32767)) REA_V(subs_s16, int16_t, 16, REA_CLAMP(a - b, -32768, 32767))
REA_V(mulw_u64, uint64_t, 64, (uint64_t)(uint32_t)a * (uint32_t)b)
REA_V(mulw_s64, int64_t, 64, (int64_t)(int32_t)a * (int32_t)b)
REA_V(madd_s32, uint32_t, 32, (int32_t)(int16_t)a * (int16_t)b + (uint32_t)((int32_t)(int16_t)(a >> 16) * (int16_t)(b >> 16)))
#define REA_PACK(name, F, T, n, low, high) \\
  REA_OP rea_u128 rea_v_##name(rea_u128 left, rea_u128 right) { \\
    rea_lanes_##F x, y; rea_lanes_##T r; x.whole = left; y.whole = right; \\
    for (int i = 0; i < 64 / n; i++) { r.lane[i] = REA_CLAMP(x.lane[i], low, high); r.lane[64 / n + i] = REA_CLAMP(y.lane[i], low, high); } \\
    return r.whole; }
REA_PACK(pack_s8, int16_t, int8_t, 8, -128, 127) REA_PACK(pack_s16, int32_t, int16_t, 16, -32768, 32767)
REA_PACK(pack_u8, int16_t, uint8_t, 8, 0, 255) REA_PACK(pack_u16, int32_t, uint16_t, 16, 0, 65535)
#define REA_FLOATS(F, U, n, root) \\
  REA_V(addf##n, F, n, a + b) REA_V(subf##n, F, n, a - b) REA_V(mulf##n, F, n, a * b) REA_V(divf##n, F, n, a / b) \\
  REA_V(minf##n, F, n, a < b ? a : b) REA_V(maxf##n, F, n, a > b ? a : b) \\
  REA_OP rea_u128 rea_v_sqrtf##n(rea_u128 v) { rea_lanes_##F x; x.whole = v; for (int i = 0; i < 128 / n; i++) x.lane[i] = root(x.lane[i]); return x.whole; } \\
  REA_TEST(eqf##n, F, U, n, a == b) REA_TEST(ltf##n, F, U, n, a < b) REA_TEST(lef##n, F, U, n, a <= b) REA_TEST(unordf##n, F, U, n, rea_unordered(a, b)) \\
  REA_TEST(neqf##n, F, U, n, a != b) REA_TEST(nltf##n, F, U, n, !(a < b)) REA_TEST(nlef##n, F, U, n, !(a <= b)) REA_TEST(ordf##n, F, U, n, !rea_unordered(a, b))
#define REA_TEST(name, F, U, n, expression) \\
  REA_OP rea_u128 rea_v_##name(rea_u128 left, rea_u128 right) { \\
    rea_lanes_##F x, y; rea_lanes_##U r; x.whole = left; y.whole = right; \\
    for (int i = 0; i < 128 / n; i++) { F a = x.lane[i], b = y.lane[i]; r.lane[i] = (expression) ? (U)-1 : 0; } \\
    return r.whole; }
REA_FLOATS(float, uint32_t, 32, sqrtf)
REA_FLOATS(double, uint64_t, 64, sqrt)
#define REA_CHOOSE(name, T, n, expression) \\
  REA_OP rea_u128 rea_choose_##name(rea_u128 left, rea_u128 right, int how) { \\
    rea_lanes_##T x, y, r; x.whole = left; y.whole = right; \\
    for (int i = 0; i < 128 / n; i++) r.lane[i] = expression; \\
    return r.whole; }
REA_CHOOSE(one32, uint32_t, 32, x.lane[how >> 2 * i & 3])
REA_CHOOSE(low16, uint16_t, 16, i < 4 ? x.lane[how >> 2 * i & 3] : x.lane[i])
REA_CHOOSE(high16, uint16_t, 16, i < 4 ? x.lane[i] : x.lane[4 + (how >> 2 * (i - 4) & 3)])
REA_CHOOSE(two32, uint32_t, 32, i < 2 ? x.lane[how >> 2 * i & 3] : y.lane[how >> 2 * i & 3])
REA_CHOOSE(two64, uint64_t, 64, i < 1 ? x.lane[how & 1] : y.lane[how >> 1 & 1])
#define rea_v_shuffle32(v, how) rea_choose_one32(v, v, how)
#define rea_v_shuffle_low16(v, how) rea_choose_low16(v, v, how)
#define rea_v_shuffle_high16(v, how) rea_choose_high16(v, v, how)
#define rea_v_shuffle2_32(a, b, how) rea_choose_two32(a, b, how)
#define rea_v_shuffle2_64(a, b, how) rea_choose_two64(a, b, how)
REA_OP rea_u128 rea_v_sad64(rea_u128 left, rea_u128 right) {
  rea_lanes_uint8_t x, y; rea_lanes_uint64_t r; x.whole = left; y.whole = right; r.whole = 0;
  for (int i = 0; i < 16; i++) r.lane[i / 8] += x.lane[i] > y.lane[i] ? x.lane[i] - y.lane[i] : y.lane[i] - x.lane[i];
  return r.whole;
}
REA_OP uint32_t rea_pmovmskb(rea_u128 v) { uint32_t r = 0; for (int i = 0; i < 16; i++) r |= (uint32_t)(v >> (8 * i + 7) & 1) << i; return r; }

/* String instructions; those that search give the count that is left. */
#define REA_STRINGS(T, n) \\
  REA_OP void rea_rep_movs##n(uint64_t to, uint64_t from, uint64_t count) { for (uint64_t i = 0; i < count; i++) memcpy((char *)to + i * sizeof(T), (char *)from + i * sizeof(T), sizeof(T)); } \\
  REA_OP void rea_rep_stos##n(uint64_t to, T value, uint64_t count) { for (uint64_t i = 0; i < count; i++) memcpy((char *)to + i * sizeof(T), &value, sizeof(T)); } \\
  REA_OP uint64_t rea_repne_scas##n(uint64_t at, T value, uint64_t count) { T x; for (; count; at += sizeof(T)) { count--; memcpy(&x, (char *)at, sizeof(T)); if (x == value) break; } return count; } \\
  REA_OP uint64_t rea_repe_scas##n(uint64_t at, T value, uint64_t count) { T x; for (; count; at += sizeof(T)) { count--; memcpy(&x, (char *)at, sizeof(T)); if (x != value) break; } return count; } \\
  REA_OP uint64_t rea_repe_cmps##n(uint64_t a, uint64_t b, uint64_t count) { for (; count; a += sizeof(T), b += sizeof(T)) { count--; if (memcmp((char *)a, (char *)b, sizeof(T))) break; } return count; } \\
  REA_OP uint64_t rea_repne_cmps##n(uint64_t a, uint64_t b, uint64_t count) { for (; count; a += sizeof(T), b += sizeof(T)) { count--; if (!memcmp((char *)a, (char *)b, sizeof(T))) break; } return count; } \\
  REA_OP T rea_atomic_add##n(uint64_t at, T x) { return __atomic_fetch_add((T *)at, x, __ATOMIC_SEQ_CST); } \\
  REA_OP T rea_atomic_sub##n(uint64_t at, T x) { return __atomic_fetch_sub((T *)at, x, __ATOMIC_SEQ_CST); } \\
  REA_OP T rea_atomic_and##n(uint64_t at, T x) { return __atomic_fetch_and((T *)at, x, __ATOMIC_SEQ_CST); } \\
  REA_OP T rea_atomic_or##n(uint64_t at, T x) { return __atomic_fetch_or((T *)at, x, __ATOMIC_SEQ_CST); } \\
  REA_OP T rea_atomic_xor##n(uint64_t at, T x) { return __atomic_fetch_xor((T *)at, x, __ATOMIC_SEQ_CST); } \\
  REA_OP T rea_atomic_exchange##n(uint64_t at, T x) { return __atomic_exchange_n((T *)at, x, __ATOMIC_SEQ_CST); } \\
  REA_OP T rea_atomic_compare_exchange##n(uint64_t at, T expected, T x) { __atomic_compare_exchange_n((T *)at, &expected, x, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); return expected; }
REA_STRINGS(uint8_t, 8)
REA_STRINGS(uint16_t, 16)
REA_STRINGS(uint32_t, 32)
REA_STRINGS(uint64_t, 64)
${armOperations}#endif
`;

/** The text of `rea.h`. */
export function pseudocodeHeader(): string {
  return headerText;
}
