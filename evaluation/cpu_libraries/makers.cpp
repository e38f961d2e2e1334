// The rows of the table, each made in one of the files beside this one.
#include "row.h"

Row makeSum(const Words &sizes);
Row makeDot(const Words &sizes);
Row makeAxpy(const Words &sizes);
Row makeScan(const Words &sizes);
Row makeExclusiveScan(const Words &sizes);
Row makeGemvFloat(const Words &sizes);
Row makeGemvDouble(const Words &sizes);
Row makeGemmFloat(const Words &sizes);
Row makeGemmDouble(const Words &sizes);
Row makeGemmTransposedFloat(const Words &sizes);
Row makeGemmTransposedDouble(const Words &sizes);
Row makeSpmv(const Words &sizes);
Row makeKmeans(const Words &sizes);
Row makeBfs(const Words &sizes);
Row makeLevels(const Words &sizes);
Row makeHistogram(const Words &sizes);
Row makeCompact(const Words &sizes);
Row makeTranspose(const Words &sizes);

const std::map<std::string, Row (*)(const Words &)> makers = {
    {"sum", makeSum},
    {"dot", makeDot},
    {"axpy", makeAxpy},
    {"scan", makeScan},
    {"exclusive_scan", makeExclusiveScan},
    {"sgemv", makeGemvFloat},
    {"dgemv", makeGemvDouble},
    {"sgemm", makeGemmFloat},
    {"dgemm", makeGemmDouble},
    {"sgemm_nt", makeGemmTransposedFloat},
    {"dgemm_nt", makeGemmTransposedDouble},
    {"spmv", makeSpmv},
    {"kmeans", makeKmeans},
    {"bfs", makeBfs},
    {"levels", makeLevels},
    {"histogram", makeHistogram},
    {"compact", makeCompact},
    {"transpose", makeTranspose},
};
