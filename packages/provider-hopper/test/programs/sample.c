#include <stdio.h>
#include <string.h>

static const char *greetings[] = {"hello from the sample", "good day to you", "farewell, and thanks"};
int counter = 7;
static char buffer[4096];

__attribute__((noinline)) static int measure(const char *text) {
  return (int)strlen(text) + counter;
}

__attribute__((noinline)) int choose(int index) {
  switch (index & 3) {
    case 0: return measure(greetings[0]);
    case 1: return measure(greetings[1]) * 2;
    case 2: return measure(greetings[2]) - 5;
    default: return -1;
  }
}

__attribute__((noinline)) void tell(int times) {
  for (int index = 0; index < times; index++) {
    snprintf(buffer, sizeof buffer, "%d: %d\n", index, choose(index));
    fputs(buffer, stdout);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  tell(argc + 2);
  return choose(argc);
}
