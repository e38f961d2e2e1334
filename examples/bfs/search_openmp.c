#include "search.h"

#include "bfs.h"      // made by tangram synth
#include "frontier.h" // made by tangram synth

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct search {
  struct graph graph;
  int *before, *after; // distances
};

static void need_success(int status, const char *what) {
  if (status == 0)
    return;
  fprintf(stderr, "%s failed: %s\n", what,
          status == 1 ? "the plan cannot serve this size" : "out of memory");
  exit(1);
}

struct search *start_search(struct graph graph, const int *distance) {
  const size_t bytes = (size_t)graph.vertices * sizeof(int);
  struct search *search = malloc(sizeof *search);
  if (!search)
    abort();
  search->graph = graph;
  search->before = malloc(bytes);
  search->after = malloc(bytes);
  if (!search->before || !search->after)
    abort();
  memcpy(search->before, distance, bytes);
  return search;
}

int search_step(struct search *search, int depth) {
  const size_t n = (size_t)search->graph.vertices;
  int count;
  need_success(bfs(depth, search->graph.offsets, n + 1, search->graph.targets,
                   (size_t)search->graph.edges, search->before, n, search->after, n),
               "bfs");
  need_success(frontier(depth + 1, search->after, n, &count), "frontier");

  int *swapped = search->before;
  search->before = search->after;
  search->after = swapped;
  return count;
}

void finish_search(struct search *search, int *distance) {
  memcpy(distance, search->before, (size_t)search->graph.vertices * sizeof(int));
  free(search->before);
  free(search->after);
  free(search);
}
