#include "search.h"

#include "../opencl_device.h"
#include "bfs.h"      // made by tangram synth
#include "frontier.h" // made by tangram synth

#include <stdlib.h>

struct search {
  struct opencl_device device;
  size_t vertices, edges;
  cl_mem offsets, targets, count;
  cl_mem before, after; // distances
};

struct search *start_search(struct graph graph, const int *distance) {
  struct search *search = calloc(1, sizeof *search);
  if (!search)
    abort();
  search->device = open_device();
  search->vertices = (size_t)graph.vertices;
  search->edges = (size_t)graph.edges;
  const size_t bytes = search->vertices * sizeof(int);
  search->offsets = device_memory(search->device, bytes + sizeof(int), graph.offsets);
  search->targets = device_memory(search->device, search->edges * sizeof(int), graph.targets);
  search->before = device_memory(search->device, bytes, distance);
  search->after = device_memory(search->device, bytes, NULL);
  search->count = device_memory(search->device, sizeof(int), NULL);
  return search;
}

int search_step(struct search *search, int depth) {
  const size_t n = search->vertices;
  need_success(bfs(search->device.queue, depth, search->offsets, n + 1, search->targets,
                   search->edges, search->before, n, search->after, n),
               "bfs");
  need_success(frontier(search->device.queue, depth + 1, search->after, n, search->count),
               "frontier");

  cl_mem swapped = search->before;
  search->before = search->after;
  search->after = swapped;

  int count; // all that is read in a step: the distances stay where they are
  read_back(search->device, search->count, sizeof count, &count);
  return count;
}

void finish_search(struct search *search, int *distance) {
  read_back(search->device, search->before, search->vertices * sizeof(int), distance);
  clReleaseMemObject(search->offsets);
  clReleaseMemObject(search->targets);
  clReleaseMemObject(search->before);
  clReleaseMemObject(search->after);
  clReleaseMemObject(search->count);
  close_device(search->device);
  free(search);
}
