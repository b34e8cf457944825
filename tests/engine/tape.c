/* Runs a tape (tape.py) again with a game's library.
   usage: tape LIBRARY TAPE FUNCTION:ARGUMENTS>RESULT...   as the game's engine.json lists them,
   such as legal:aia>i : a for an address, i for an integer, f for a float, > and nothing for none. */

#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 24 /* arguments */

static uint8_t *tape, *end;

static const uint8_t *taken(size_t size) {
  if ((size_t)(end - tape) < size) {
    fprintf(stderr, "the tape ends too early\n");
    exit(2);
  }
  tape += size;
  return tape - size;
}

static uint32_t length(void) {
  uint32_t value;
  memcpy(&value, taken(4), 4);
  return value;
}

/* Integers and addresses go in registers of one kind, floats in those of another: each by itself is
   in order, so one kind of call fits all. */
typedef int64_t (*whole)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         double, double, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
typedef double (*real)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                       double, double, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                       int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

int main(int count, char **words) {
  void *library = dlopen(words[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  FILE *file = fopen(words[2], "rb");
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  tape = malloc(size);
  end = tape + size;
  if (fread(tape, 1, size, file) != (size_t)size) return 2;
  long calls = 0;
  while (tape < end) {
    char *word = words[3 + length()];
    char name[64] = {0};
    size_t letters = strcspn(word, ":");
    memcpy(name, word, letters);
    void *function = dlsym(library, name);
    int64_t i[MOST] = {0};
    double f[2] = {0};
    uint8_t *memory[MOST];
    uint32_t sizes[MOST];
    int integers = 0, floats = 0, places = 0;
    const char *kind = word + letters + 1;
    for (; *kind != '>'; kind++) {
      if (*kind == 'a') {
        sizes[places] = length();
        memory[places] = aligned_alloc(64, (sizes[places] + 64) & ~63u);
        memcpy(memory[places], taken(sizes[places]), sizes[places]);
        i[integers++] = (int64_t)memory[places++];
      } else {
        memcpy(*kind == 'i' ? (void *)&i[integers++] : (void *)&f[floats++], taken(8), 8);
      }
    }
    uint8_t found[8] = {0};
    if (kind[1] == 'f') {
      double result = ((real)function)(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], f[0], f[1],
                                       i[8], i[9], i[10], i[11], i[12], i[13], i[14], i[15], i[16],
                                       i[17], i[18], i[19], i[20], i[21]);
      memcpy(found, &result, 8);
    } else {
      int64_t result = ((whole)function)(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], f[0], f[1],
                                         i[8], i[9], i[10], i[11], i[12], i[13], i[14], i[15], i[16],
                                         i[17], i[18], i[19], i[20], i[21]);
      memcpy(found, &result, 8);
    }
    const uint8_t *expected = taken(8);
    if (kind[1] && memcmp(found, expected, 8)) {
      fprintf(stderr, "call %ld: %s\n", calls, name);
      return 1;
    }
    for (int place = 0; place < places; place++) {
      uint32_t bytes = length();
      if (memcmp(memory[place], taken(bytes), bytes)) {
        fprintf(stderr, "call %ld: what %s wrote\n", calls, name);
        return 1;
      }
      free(memory[place]);
    }
    calls++;
  }
  printf("%ld\n", calls);
  return 0;
}
