#ifndef EXAMPLES_BFS_GRAPH_H
#define EXAMPLES_BFS_GRAPH_H

/// A directed graph by rows: the edges of vertex v lead to targets[offsets[v]] up to (not with)
/// targets[offsets[v + 1]].
struct graph {
  int vertices, edges;
  int *offsets; // vertices + 1
  int *targets; // edges
};

/// Reads a Matrix Market file (coordinate, square): an edge from row to column for each entry, and
/// back where the file is symmetric; values do not matter. Ends the program with a message when the
/// file is not one.
struct graph read_graph(const char *file);
void free_graph(struct graph graph);

#endif
