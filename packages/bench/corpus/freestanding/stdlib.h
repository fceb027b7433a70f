/* Declarations for targets without a C library; the program is linked, never run. */
#pragma once
#include <stddef.h>
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void abort(void) __attribute__((noreturn)); void exit(int) __attribute__((noreturn));
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int atoi(const char *); long strtol(const char *, char **, int); double strtod(const char *, char **); char *getenv(const char *);
