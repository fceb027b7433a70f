import type { RebuiltProgram } from "./rebuild-room.js";

const types = `#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum shade { LIGHT, MIDDLE = 5, DARK };
enum below { UNDER = -3, OVER = 9 };
struct place { int x, y; };
union cell { int whole; float real; unsigned char bytes[4]; struct { short low, high; } half; };
struct node {
  int value; enum shade shade; struct node *next; struct place at; double weight; char name[16]; short grid[4][3];
  unsigned small : 3, large : 9; signed char sign; union cell cell; struct place ring[5]; int (*call)(int);
};
struct __attribute__((packed)) tight { char tag; int number; short half; double real; struct place inner; };
struct tail { int count; long sum; struct place items[]; };
typedef struct { unsigned char head; unsigned long body; enum below below; } plain;
struct wide { struct tight first; struct node nodes[2]; plain last; };
extern struct node *list; extern int counter; extern struct place origin; extern struct place ring[6]; extern plain kept; extern struct tight tight; extern enum shade shade; extern unsigned short matrix[3][4];
`;

const source = `${types}
struct node *list; int counter = 3; struct place origin = {4, -9}; struct place ring[6] = {{1, 2}, {3, 4}, {5, 6}}; plain kept = {1, 2, UNDER}; struct tight tight = {1, 2, 3, 4.5, {6, 7}}; enum shade shade = DARK;
unsigned short matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
int sum(struct node *p) { int total = 0; while (p) { total += p->value; p = p->next; } return total; }
struct node *push(struct node *after, int value) {
  struct node *n = calloc(1, sizeof *n);
  if (!n) return after;
  n->value = value; n->next = after; n->shade = value > 3 ? DARK : MIDDLE; n->at.x = value * 2; n->at.y = -value; n->weight = value / 2.0; n->sign = -value; n->small = value; n->large = value * 7; n->cell.whole = value << 20;
  strcpy(n->name, "node"); n->name[4] = 'a' + value % 26; counter++; list = n;
  for (int i = 0; i < 5; i++) { n->ring[i].x = i; n->ring[i].y = i * value; }
  return n;
}
double weigh(struct node *p, int i, int j) { return p->at.x * p->weight + p->name[i] + p->grid[i][j] + ring[i].y + origin.x + matrix[j][i]; }
void fill(struct node *p, int by) { for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) p->grid[i][j] = (short)(i * by - j); }
int bits(struct node *p) { return p->small * 1000 + p->large; }
int shadeOf(const struct node *p) { switch (p->shade) { case LIGHT: return 11; case MIDDLE: counter += 2; return 22; case DARK: return 33; } return 0; }
int isDark(struct node *p) { return p->shade == DARK && shade != LIGHT; }
float real(union cell *c) { return c->real * 2; }
int low(union cell *c, int i) { return c->half.low + c->half.high * 3 + c->bytes[i & 3]; }
long squeeze(struct tight *t) { t->number += t->half; t->inner.y = t->tag; return t->number + (long)t->real + t->inner.x; }
long collect(struct tail *t) { long total = t->sum; for (int i = 0; i < t->count; i++) total += t->items[i].x * t->items[i].y; t->sum = total; return total; }
struct place *second(struct place *p, int i) { p[i].x += 5; return &p[i + 1]; }
struct place *middle(struct node *p) { return &p->at; }
int through(struct node *p) { return p->next->next->at.y + p->next->value; }
int call(struct node *p, int x) { return p->call ? p->call(x) + 1 : -1; }
long deep(struct wide *w, int i) { return w->first.number + w->nodes[i & 1].ring[i].y + (long)w->last.body + w->last.head + (w->last.below == UNDER ? 100 : w->last.below == OVER ? 200 : 0); }
void reset(plain *p) { p->head = 200; p->body = ~0ul; p->below = OVER; kept = *p; kept.below = UNDER; }
size_t count(const struct place *from, const struct place *to) { size_t n = 0; for (const struct place *p = from; p != to; p++) n += p->x > 0; return n; }
struct node *need(struct node *from, int amount) { if (!from) { printf("%d\\n", amount); abort(); } from->value += amount; return from; }
void swap(struct place *a, struct place *b) { struct place t = *a; *a = *b; *b = t; }
int local(int a) { struct place spot[3] = {{a, 1}, {2, a}, {3, 3}}; swap(&spot[0], &spot[2]); return spot[0].x * 100 + spot[2].y + spot[1].y; }
`;

const driver = `${types}
int sum(struct node *); struct node *push(struct node *, int); double weigh(struct node *, int, int); void fill(struct node *, int); int bits(struct node *); int shadeOf(const struct node *); int isDark(struct node *);
float real(union cell *); int low(union cell *, int); long squeeze(struct tight *); long collect(struct tail *); struct place *second(struct place *, int); struct place *middle(struct node *); int through(struct node *);
int call(struct node *, int); long deep(struct wide *, int); void reset(plain *); size_t count(const struct place *, const struct place *); void swap(struct place *, struct place *); int local(int); struct node *need(struct node *, int);
static int twice(int x) { return x * 2; }
int main(void) {
  struct node *p = NULL;
  for (int i = 0; i < 9; i++) p = push(p, i);
  fill(p, 6); fill(p->next, -2);
  printf("%d %d %.3f %.3f\\n", sum(p), counter, weigh(p, 2, 1), weigh(p->next, 3, 2));
  for (struct node *n = p; n; n = n->next) printf("%d %d %d %d %s %d %d %d\\n", bits(n), shadeOf(n), isDark(n), n->sign, n->name, n->ring[4].y, low(&n->cell, n->value), n->at.y);
  shade = LIGHT;
  union cell c = {.real = 2.75f};
  printf("%d %.3f %d\\n", isDark(p), real(&c), low(&c, 2));
  printf("%ld %d %d\\n", squeeze(&tight), tight.number, tight.inner.y);
  struct tail *t = malloc(sizeof *t + 3 * sizeof(struct place));
  t->count = 3; t->sum = 7;
  for (int i = 0; i < 3; i++) t->items[i] = (struct place){i + 2, 5 - i};
  printf("%ld %ld\\n", collect(t), t->sum);
  printf("%d %d %d\\n", (int)(second(ring, 1) - ring), ring[1].x, middle(p)->x);
  printf("%d %d", through(p), call(p, 3));
  p->call = twice;
  printf(" %d\\n", call(p, 3));
  static struct wide w = {.first = {.number = 8}, .last = {3, 4, OVER}};
  w.nodes[1].ring[3].y = 70;
  printf("%ld %ld\\n", deep(&w, 3), deep(&w, 0));
  reset(&w.last);
  printf("%d %lu %d %d %lu\\n", kept.head, kept.body, kept.below, w.last.below, (unsigned long)count(ring, ring + 4));
  printf("%d %d %d\\n", local(5), local(-8), need(p, 40)->value);
  return 0;
}
`;

/** Structures in every way C lays them out and code reaches into them. */
export const structures: RebuiltProgram = { source, driver, functions: [...source.matchAll(/^(?:static )?[a-z][\w *]*?\b(\w+)\([^;]*\) \{/gm)].flatMap(([, name]) => name ?? []) };
