#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void malformed(const char *file, int line, const char *expected) {
  fprintf(stderr, "%s:%d: expected %s\n", file, line, expected);
  exit(1);
}

static void *need_memory(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

/// The rows from a list of edges, by counting.
static struct graph by_rows(int vertices, int edges, const int *from, const int *to) {
  struct graph graph = {vertices, edges, need_memory((size_t)vertices + 1, sizeof(int)),
                        need_memory((size_t)edges, sizeof(int))};
  int *next = need_memory((size_t)vertices + 1, sizeof(int));
  for (int e = 0; e < edges; ++e)
    graph.offsets[from[e] + 1] += 1;
  for (int v = 0; v < vertices; ++v) {
    graph.offsets[v + 1] += graph.offsets[v];
    next[v] = graph.offsets[v];
  }
  for (int e = 0; e < edges; ++e)
    graph.targets[next[from[e]]++] = to[e];
  free(next);
  return graph;
}

struct graph read_graph(const char *file) {
  FILE *in = fopen(file, "r");
  if (!in) {
    perror(file);
    exit(1);
  }
  char text[1024];
  int line = 1;
  if (!fgets(text, sizeof text, in) || strncmp(text, "%%MatrixMarket matrix coordinate", 32) != 0)
    malformed(file, line, "%%MatrixMarket matrix coordinate");
  const int symmetric = strstr(text, "symmetric") != NULL;
  do {
    ++line;
    if (!fgets(text, sizeof text, in))
      malformed(file, line, "rows, columns and entries");
  } while (text[0] == '%');
  int rows, columns, entries;
  if (sscanf(text, "%d %d %d", &rows, &columns, &entries) != 3 || rows != columns || rows < 1 ||
      entries < 0)
    malformed(file, line, "as many rows as columns, and the number of entries");

  int *from = need_memory(2 * (size_t)entries, sizeof(int));
  int *to = need_memory(2 * (size_t)entries, sizeof(int));
  int edges = 0;
  for (int e = 0; e < entries; ++e) {
    int row, column;
    ++line;
    if (!fgets(text, sizeof text, in) || sscanf(text, "%d %d", &row, &column) != 2 || row < 1 ||
        row > rows || column < 1 || column > columns)
      malformed(file, line, "a row and a column");
    from[edges] = row - 1;
    to[edges++] = column - 1;
    if (symmetric && row != column) {
      from[edges] = column - 1;
      to[edges++] = row - 1;
    }
  }
  fclose(in);
  struct graph graph = by_rows(rows, edges, from, to);
  free(from);
  free(to);
  return graph;
}

void free_graph(struct graph graph) {
  free(graph.offsets);
  free(graph.targets);
}
