// Breadth-first search of the graph of a file: how far every vertex is from one.
//
//     search FILE.mtx [START]
//
// Each step of the search is a call of kernels that tangram made of codelets/bfs.cpp; the answer is
// compared with that of a queue in plain C. Ends with status 1 when they differ.
#include "search.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int *distances_from(struct graph graph, int start) {
  int *distance = malloc((size_t)graph.vertices * sizeof *distance);
  if (!distance)
    abort();
  for (int v = 0; v < graph.vertices; ++v)
    distance[v] = v == start ? 0 : INT_MAX;
  return distance;
}

/// The number of steps.
static int search_in_steps(struct graph graph, int *distance) {
  struct search *search = start_search(graph, distance);
  int depth = 0;
  while (search_step(search, depth) > 0)
    ++depth;
  finish_search(search, distance);
  return depth + 1;
}

static void search_with_a_queue(struct graph graph, int start, int *distance) {
  int *queue = malloc((size_t)graph.vertices * sizeof *queue);
  if (!queue)
    abort();
  int first = 0, end = 0;
  queue[end++] = start;
  while (first < end) {
    const int v = queue[first++];
    for (int e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const int next = graph.targets[e];
      if (distance[next] == INT_MAX) {
        distance[next] = distance[v] + 1;
        queue[end++] = next;
      }
    }
  }
  free(queue);
}

static int vertices_that_differ(int vertices, const int *distance, const int *expected) {
  int wrong = 0;
  for (int v = 0; v < vertices; ++v) {
    if (distance[v] == expected[v])
      continue;
    if (wrong++ == 0)
      fprintf(stderr, "vertex %d: expected %d, found %d\n", v, expected[v], distance[v]);
  }
  return wrong;
}

int main(int count, char **arguments) {
  if (count < 2 || count > 3) {
    fprintf(stderr, "usage: %s FILE.mtx [START]\n", arguments[0]);
    return 2;
  }
  struct graph graph = read_graph(arguments[1]);
  const int start = count == 3 ? atoi(arguments[2]) : 0;
  if (start < 0 || start >= graph.vertices) {
    fprintf(stderr, "expected a start from 0 to %d\n", graph.vertices - 1);
    return 2;
  }
  printf("graph: %d vertices, %d edges\n", graph.vertices, graph.edges);

  int *distance = distances_from(graph, start);
  double began = seconds();
  const int steps = search_in_steps(graph, distance);
  printf("in steps: %.1f ms everything included, %d steps\n", (seconds() - began) * 1e3, steps);

  int *expected = distances_from(graph, start);
  began = seconds();
  search_with_a_queue(graph, start, expected);
  printf("with a queue: %.1f ms\n", (seconds() - began) * 1e3);

  int reached = 0, farthest = 0;
  for (int v = 0; v < graph.vertices; ++v) {
    reached += distance[v] != INT_MAX;
    if (distance[v] != INT_MAX && distance[v] > farthest)
      farthest = distance[v];
  }
  printf("reached: %d vertices, the farthest at distance %d\n", reached, farthest);
  const int wrong = vertices_that_differ(graph.vertices, distance, expected);
  printf("%s\n", wrong == 0 ? "right" : "wrong");
  free(distance);
  free(expected);
  free_graph(graph);
  return wrong == 0 ? 0 : 1;
}
