#ifndef EXAMPLES_BFS_SEARCH_H
#define EXAMPLES_BFS_SEARCH_H

#include "graph.h"

/// A breadth-first search in progress, wherever its kernels run: search_opencl.c keeps graph and
/// distances in the memory of a device, search_openmp.c in that of the process.
struct search;

/// `distance` has one element a vertex: 0 for those to start from, INT_MAX for all others.
struct search *start_search(struct graph graph, const int *distance);

/// From all vertices at distance `depth` to those at depth + 1; their number, 0 at the end.
int search_step(struct search *search, int depth);

/// Ends it and copies the distances.
void finish_search(struct search *search, int *distance);

#endif
