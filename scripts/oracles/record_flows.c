/* Write the call chains that a program compiled with -finstrument-functions executes.

   A chain is the last DEPTH functions of the stack at a call. At the end of the program each chain is a line of the file
   that FLOWS names: addresses of FUNCTION and of the instruction behind its call of the next function, the caller first.

       gcc -g -O0 -no-pie -finstrument-functions PROGRAM… record_flows.c -o program
       FLOWS=chains.txt ./program …
       prepare_agents.py turns the addresses into lines with addr2line.

   A jump out of functions (longjmp) leaves their entries behind. An entry that lies below the frame of a new call is dropped. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 6
#define STACK 100000
#define SLOTS (1u << 20)
#define QUIET __attribute__((no_instrument_function))

typedef struct { uintptr_t function, site, frame; } Entry;
typedef struct { uintptr_t addresses[2 * DEPTH]; } Chain;

static Entry stack[STACK];
static int depth;
static Chain *chains;

QUIET static void write_chains(void) {
  const char *path = getenv("FLOWS");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file == NULL) return;
  for (unsigned slot = 0; slot < SLOTS; slot++) {
    const uintptr_t *addresses = chains[slot].addresses;
    if (addresses[0] == 0) continue;
    for (int i = 0; i < 2 * DEPTH && addresses[i] != 0; i += 2)
      fprintf(file, "%#lx %#lx ", (unsigned long)addresses[i], (unsigned long)addresses[i + 1]);
    fputc('\n', file);
  }
  fclose(file);
}

QUIET static void insert(const Chain *chain) {
  uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < 2 * DEPTH; i++) hash = (hash ^ chain->addresses[i]) * 1099511628211u;
  for (unsigned slot = (unsigned)(hash >> 40) % SLOTS, tries = 0; tries < 64; slot = (slot + 1) % SLOTS, tries++) {
    if (chains[slot].addresses[0] == 0) { chains[slot] = *chain; return; }
    if (memcmp(&chains[slot], chain, sizeof *chain) == 0) return;
  }
}

QUIET void __cyg_profile_func_enter(void *function, void *site) {
  uintptr_t frame = (uintptr_t)__builtin_frame_address(1);
  if (chains == NULL) {
    chains = calloc(SLOTS, sizeof *chains);
    if (chains == NULL) abort();
    atexit(write_chains);
  }
  while (depth > 0 && stack[depth - 1].frame <= frame) depth--;
  if (depth == STACK) return;
  stack[depth++] = (Entry){(uintptr_t)function, (uintptr_t)site, frame};
  int first = depth > DEPTH ? depth - DEPTH : 0;
  if (depth - first < 3) return;
  Chain chain = {{0}};
  for (int i = first; i < depth; i++) {
    chain.addresses[2 * (i - first)] = stack[i].function;
    /* The site of an entry is where its caller calls it. A chain holds it beside the caller; the last one has 1. */
    chain.addresses[2 * (i - first) + 1] = i + 1 < depth ? stack[i + 1].site : 1;
  }
  insert(&chain);
}

QUIET void __cyg_profile_func_exit(void *function, void *site) {
  (void)site;
  if (depth > 0 && stack[depth - 1].function == (uintptr_t)function) depth--;
}
