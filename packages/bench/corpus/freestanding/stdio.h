#pragma once
#include <stddef.h>
#include <stdarg.h>
typedef struct FILE FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int snprintf(char *, size_t, const char *, ...); int sprintf(char *, const char *, ...);
int vsnprintf(char *, size_t, const char *, va_list);
FILE *fopen(const char *, const char *); FILE *fdopen(int, const char *); int fclose(FILE *); int fflush(FILE *); int ferror(FILE *); int fgetc(FILE *); int ungetc(int, FILE *);
size_t fread(void *, size_t, size_t, FILE *); size_t fwrite(const void *, size_t, size_t, FILE *);
