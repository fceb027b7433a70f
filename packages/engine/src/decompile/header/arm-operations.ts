/** Operations of `rea.h` that only code of ARM64 uses. Needs what the header defines before. */
export const armOperations = `
/* ARM64: bits, checksums, the thread. */
REA_OP uint64_t rea_rbit64(uint64_t x) { uint64_t r = 0; for (int i = 0; i < 64; i++) r |= (x >> i & 1) << (63 - i); return r; }
REA_OP uint32_t rea_rbit32(uint32_t x) { return (uint32_t)(rea_rbit64(x) >> 32); }
REA_OP uint64_t rea_rev16_64(uint64_t x) { return (x & 0x00ff00ff00ff00fful) << 8 | (x >> 8 & 0x00ff00ff00ff00fful); }
REA_OP uint32_t rea_crc(uint32_t sum, uint64_t x, int n, uint32_t polynomial) { for (int i = 0; i < n; i++, x >>= 1) sum = sum >> 1 ^ ((sum ^ (uint32_t)x) & 1 ? polynomial : 0); return sum; }
#define REA_CRC(n) \\
  REA_OP uint32_t rea_crc32_##n(uint32_t sum, uint64_t x) { return rea_crc(sum, x, n, 0xedb88320u); } \\
  REA_OP uint32_t rea_crc32c_##n(uint32_t sum, uint64_t x) { return rea_crc(sum, x, n, 0x82f63b78u); }
REA_CRC(8) REA_CRC(16) REA_CRC(32) REA_CRC(64)
#if defined(__aarch64__)
REA_OP int64_t rea_system_call(int64_t number, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f) {
  register int64_t x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
extern int64_t rea_system_call(int64_t number, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f);
#endif
#define rea_thread_pointer() ((uint64_t)__builtin_thread_pointer())
/* The one that is no number wins. */
REA_OP float rea_fmaxnan32(float a, float b) { return a != a ? a : b != b ? b : fmaxf(a, b); }
REA_OP float rea_fminnan32(float a, float b) { return a != a ? a : b != b ? b : fminf(a, b); }
REA_OP double rea_fmaxnan64(double a, double b) { return a != a ? a : b != b ? b : fmax(a, b); }
REA_OP double rea_fminnan64(double a, double b) { return a != a ? a : b != b ? b : fmin(a, b); }

/* ARM64: lanes. */
#define REA_PICK(name, T, n, expression) \\
  REA_OP rea_u128 rea_v_##name(rea_u128 left, rea_u128 right) { \\
    rea_lanes_##T x, y, r; x.whole = left; y.whole = right; \\
    for (int i = 0; i < 128 / n; i++) r.lane[i] = (T)(expression); \\
    return r.whole; }
#define REA_EACH(name, T, n, expression) \\
  REA_OP rea_u128 rea_v_##name(rea_u128 v) { \\
    rea_lanes_##T x, r; x.whole = v; \\
    for (int i = 0; i < 128 / n; i++) { T a = x.lane[i]; r.lane[i] = (T)(expression); } \\
    return r.whole; }
#define REA_ARM_LANES(U, S, n) \\
  REA_V(gt_u##n, U, n, a > b ? -1 : 0) \\
  REA_V(absdiff_s##n, S, n, a > b ? (U)a - (U)b : (U)b - (U)a) REA_V(absdiff_u##n, U, n, a > b ? a - b : b - a) \\
  REA_V(hadd_s##n, S, n, ((rea_i128)a + b) >> 1) REA_V(hadd_u##n, U, n, ((rea_u128)a + b) >> 1) \\
  REA_V(hsub_s##n, S, n, ((rea_i128)a - b) >> 1) REA_V(hsub_u##n, U, n, ((rea_i128)a - b) >> 1) \\
  REA_V(avg_s##n, S, n, ((rea_i128)a + b + 1) >> 1) \\
  REA_V(shift_s##n, S, n, (int8_t)b >= n ? 0 : (int8_t)b >= 0 ? (U)a << (int8_t)b : a >> (-(int8_t)b >= n ? n - 1 : -(int8_t)b)) \\
  REA_V(shift_u##n, U, n, (int8_t)b >= n || -(int8_t)b >= n ? 0 : (int8_t)b >= 0 ? a << (int8_t)b : a >> -(int8_t)b) \\
  REA_PICK(even##n, U, n, i < 64 / n ? x.lane[2 * i] : y.lane[2 * i - 128 / n]) REA_PICK(odd##n, U, n, i < 64 / n ? x.lane[2 * i + 1] : y.lane[2 * i + 1 - 128 / n]) \\
  REA_PICK(trn_even##n, U, n, i & 1 ? y.lane[i - 1] : x.lane[i]) REA_PICK(trn_odd##n, U, n, i & 1 ? y.lane[i] : x.lane[i + 1]) \\
  REA_OP rea_u128 rea_v_dup##n(rea_u128 v, int from) { rea_lanes_##U x, r; x.whole = v; for (int i = 0; i < 128 / n; i++) r.lane[i] = x.lane[from]; return r.whole; } \\
  REA_OP rea_u128 rea_v_third##n(rea_u128 a, rea_u128 b, rea_u128 c, int which) { rea_lanes_##U x[3], r; x[0].whole = a; x[1].whole = b; x[2].whole = c; for (int i = 0; i < 128 / n; i++) { int at = 3 * i + which; r.lane[i] = x[at / (128 / n)].lane[at % (128 / n)]; } return r.whole; } \\
  REA_OP rea_u128 rea_v_weave##n(rea_u128 a, rea_u128 b, rea_u128 c, int which) { rea_lanes_##U x[3], r; x[0].whole = a; x[1].whole = b; x[2].whole = c; for (int i = 0; i < 128 / n; i++) { int at = which * (128 / n) + i; r.lane[i] = x[at % 3].lane[at / 3]; } return r.whole; } \\
  REA_EACH(clz##n, U, n, rea_clz##n(a)) REA_EACH(popcnt##n, U, n, rea_popcnt##n(a)) REA_EACH(cls##n, S, n, rea_clz##n((U)(a ^ a >> 1)) - 1) \\
  REA_REDUCE(sumv##n, U, n, r + x.lane[i]) REA_REDUCE(max_uv##n, U, n, r > x.lane[i] ? r : x.lane[i]) REA_REDUCE(min_uv##n, U, n, r < x.lane[i] ? r : x.lane[i]) \\
  REA_REDUCE(max_sv##n, S, n, r > x.lane[i] ? r : x.lane[i]) REA_REDUCE(min_sv##n, S, n, r < x.lane[i] ? r : x.lane[i])
/* All lanes joined, in the first; the others are zero. */
#define REA_REDUCE(name, T, n, expression) \\
  REA_OP rea_u128 rea_v_##name(rea_u128 v) { rea_lanes_##T x, y; x.whole = v; y.whole = 0; T r = x.lane[0]; for (int i = 1; i < 128 / n; i++) r = (T)(expression); y.lane[0] = r; return y.whole; }
REA_ARM_LANES(uint8_t, int8_t, 8) REA_ARM_LANES(uint16_t, int16_t, 16) REA_ARM_LANES(uint32_t, int32_t, 32) REA_ARM_LANES(uint64_t, int64_t, 64)
REA_V(adds_s32, int32_t, 32, REA_CLAMP((int64_t)a + b, INT32_MIN, INT32_MAX)) REA_V(subs_s32, int32_t, 32, REA_CLAMP((int64_t)a - b, INT32_MIN, INT32_MAX))
REA_V(adds_s64, int64_t, 64, REA_CLAMP((rea_i128)a + b, INT64_MIN, INT64_MAX)) REA_V(subs_s64, int64_t, 64, REA_CLAMP((rea_i128)a - b, INT64_MIN, INT64_MAX))
REA_PACK(pack_s32, int64_t, int32_t, 32, INT32_MIN, INT32_MAX) REA_PACK(pack_u32, int64_t, uint32_t, 32, 0, UINT32_MAX)
REA_PACK(pack_uu8, uint16_t, uint8_t, 8, 0, 255) REA_PACK(pack_uu16, uint32_t, uint16_t, 16, 0, 65535) REA_PACK(pack_uu32, uint64_t, uint32_t, 32, 0, UINT32_MAX)
/* Lanes made of the two narrow ones inside, or of narrow ones of the low half. */
#define REA_WIDE(U, S, n, HU, HS, h) \\
  REA_EACH(addpair_u##n, U, n, (HU)a + (U)(a >> h)) REA_EACH(addpair_s##n, U, n, (S)(HS)a + (S)(HS)(a >> h)) \\
  REA_OP rea_u128 rea_v_widen_u##n(rea_u128 v) { rea_lanes_##HU x; rea_lanes_##U r; x.whole = v; for (int i = 0; i < 128 / n; i++) r.lane[i] = x.lane[i]; return r.whole; } \\
  REA_OP rea_u128 rea_v_widen_s##n(rea_u128 v) { rea_lanes_##HS x; rea_lanes_##S r; x.whole = v; for (int i = 0; i < 128 / n; i++) r.lane[i] = x.lane[i]; return r.whole; }
REA_WIDE(uint16_t, int16_t, 16, uint8_t, int8_t, 8) REA_WIDE(uint32_t, int32_t, 32, uint16_t, int16_t, 16) REA_WIDE(uint64_t, int64_t, 64, uint32_t, int32_t, 32)
#define REA_TURN(T, n) \\
  REA_EACH(rev_b##n, T, n, rea_bswap##n(a)) \\
  REA_EACH(rev_h##n, T, n, n == 32 ? a >> 16 | a << 16 : (uint64_t)(uint16_t)a << 48 | ((uint64_t)a >> 16 & 0xffff) << 32 | ((uint64_t)a >> 32 & 0xffff) << 16 | (uint64_t)a >> 48)
REA_TURN(uint32_t, 32) REA_TURN(uint64_t, 64)
REA_EACH(rev_b16, uint16_t, 16, rea_bswap16(a)) REA_EACH(rev_w64, uint64_t, 64, a >> 32 | a << 32) REA_EACH(rbit8, uint8_t, 8, rea_rbit64(a) >> 56)
REA_PICK(tbl8, uint8_t, 8, y.lane[i] < 16 ? x.lane[y.lane[i] & 15] : 0)
#define REA_ARM_FLOATS(F, U, S, n, f) \\
  REA_V(maxnmf##n, F, n, fmax##f(a, b)) REA_V(minnmf##n, F, n, fmin##f(a, b)) REA_V(maxnanf##n, F, n, rea_fmaxnan##n(a, b)) REA_V(minnanf##n, F, n, rea_fminnan##n(a, b)) \\
  REA_EACH(negf##n, F, n, -a) REA_EACH(absf##n, F, n, fabs##f(a)) \\
  REA_OP rea_u128 rea_v_roundf##n(rea_u128 v, int how) { rea_lanes_##F x; x.whole = v; for (int i = 0; i < 128 / n; i++) x.lane[i] = how == 0 ? rint##f(x.lane[i]) : how == 1 ? floor##f(x.lane[i]) : how == 2 ? ceil##f(x.lane[i]) : how == 3 ? trunc##f(x.lane[i]) : round##f(x.lane[i]); return x.whole; } \\
  REA_OP rea_u128 rea_v_fmaf##n(rea_u128 a, rea_u128 b, rea_u128 c) { rea_lanes_##F x, y, z; x.whole = a; y.whole = b; z.whole = c; for (int i = 0; i < 128 / n; i++) z.lane[i] = fma##f(x.lane[i], y.lane[i], z.lane[i]); return z.whole; } \\
  REA_OP rea_u128 rea_v_sitof##n(rea_u128 v) { rea_lanes_##S x; rea_lanes_##F r; x.whole = v; for (int i = 0; i < 128 / n; i++) r.lane[i] = (F)x.lane[i]; return r.whole; } \\
  REA_OP rea_u128 rea_v_uitof##n(rea_u128 v) { rea_lanes_##U x; rea_lanes_##F r; x.whole = v; for (int i = 0; i < 128 / n; i++) r.lane[i] = (F)x.lane[i]; return r.whole; } \\
  REA_OP rea_u128 rea_v_ftosat##n(rea_u128 v) { rea_lanes_##F x; rea_lanes_##S r; x.whole = v; const F top = (F)((U)1 << (n - 1)); for (int i = 0; i < 128 / n; i++) { F a = x.lane[i]; r.lane[i] = a != a ? 0 : a >= top ? (S)(((U)1 << (n - 1)) - 1) : a < -top ? (S)((U)1 << (n - 1)) : (S)a; } return r.whole; } \\
  REA_OP rea_u128 rea_v_ftousat##n(rea_u128 v) { rea_lanes_##F x; rea_lanes_##U r; x.whole = v; const F top = (F)((U)1 << (n - 1)) * 2; for (int i = 0; i < 128 / n; i++) { F a = x.lane[i]; r.lane[i] = !(a > 0) ? 0 : a >= top ? (U)-1 : (U)a; } return r.whole; }
REA_ARM_FLOATS(float, uint32_t, int32_t, 32, f)
REA_ARM_FLOATS(double, uint64_t, int64_t, 64, )

/* ARM64: accesses that order others. An exclusive store succeeds where memory still holds what the exclusive load saw. */
static __thread __attribute__((unused)) struct { uint64_t at; rea_u128 value; } rea_exclusive;
#define REA_ORDERED(T, S, n) \\
  REA_OP T rea_atomic_load##n(uint64_t at) { return __atomic_load_n((T *)at, __ATOMIC_SEQ_CST); } \\
  REA_OP void rea_atomic_store##n(uint64_t at, T x) { __atomic_store_n((T *)at, x, __ATOMIC_SEQ_CST); } \\
  REA_OP T rea_atomic_load_exclusive##n(uint64_t at) { T x = rea_atomic_load##n(at); rea_exclusive.at = at; rea_exclusive.value = x; return x; } \\
  REA_OP uint32_t rea_atomic_store_exclusive##n(uint64_t at, T x) { T seen = (T)rea_exclusive.value; if (rea_exclusive.at != at) return 1; rea_exclusive.at = 0; return !__atomic_compare_exchange_n((T *)at, &seen, x, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); } \\
  REA_EXTREME(T, T, max_u##n, old > x) REA_EXTREME(T, T, min_u##n, old < x) REA_EXTREME(T, S, max_s##n, (S)old > (S)x) REA_EXTREME(T, S, min_s##n, (S)old < (S)x)
#define REA_EXTREME(T, S, name, test) \\
  REA_OP T rea_atomic_##name(uint64_t at, T x) { T old = __atomic_load_n((T *)at, __ATOMIC_SEQ_CST); while (!__atomic_compare_exchange_n((T *)at, &old, (test) ? old : x, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {} return old; }
REA_ORDERED(uint8_t, int8_t, 8) REA_ORDERED(uint16_t, int16_t, 16) REA_ORDERED(uint32_t, int32_t, 32) REA_ORDERED(uint64_t, int64_t, 64)
static __attribute__((unused)) char rea_wide_lock;
REA_OP rea_u128 rea_atomic_compare_exchange128(uint64_t at, rea_u128 expected, rea_u128 x) { rea_u128 old; while (__atomic_test_and_set(&rea_wide_lock, __ATOMIC_SEQ_CST)) {} memcpy(&old, (void *)at, 16); if (old == expected) memcpy((void *)at, &x, 16); __atomic_clear(&rea_wide_lock, __ATOMIC_SEQ_CST); return old; }
REA_OP rea_u128 rea_atomic_load_exclusive128(uint64_t at) { rea_exclusive.value = rea_atomic_compare_exchange128(at, 0, 0); rea_exclusive.at = at; return rea_exclusive.value; }
REA_OP uint32_t rea_atomic_store_exclusive128(uint64_t at, rea_u128 x) { rea_u128 seen = rea_exclusive.value; if (rea_exclusive.at != at) return 1; rea_exclusive.at = 0; return rea_atomic_compare_exchange128(at, seen, x) != seen; }
#define rea_atomic_fence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define rea_atomic_clear_exclusive() ((void)(rea_exclusive.at = 0))
`;
