// The rows of the table, each made in one of the files beside this one.
#include "row.h"

Row makeNbody(const Words &sizes);
Row makeMd(const Words &sizes);
Row makeDistances(const Words &sizes);
Row makeMriq(const Words &sizes);
Row makeBlackScholes(const Words &sizes);
Row makeAtax(const Words &sizes);
Row makeGesummv(const Words &sizes);
Row makeConvolve(const Words &sizes);
Row makeSeparable(const Words &sizes);
Row makeGaussian(const Words &sizes);
Row makeGradient(const Words &sizes);
Row makeSobel(const Words &sizes);
Row makeJacobi(const Words &sizes);
Row makeJacobi9(const Words &sizes);
Row makeLife(const Words &sizes);
Row makeHotspot(const Words &sizes);
Row makeSrad(const Words &sizes);
Row makeHeat(const Words &sizes);
Row makeNw(const Words &sizes);
Row makeHeat3(const Words &sizes);
Row makeJacobi13(const Words &sizes);
Row makeHotspot3(const Words &sizes);
Row makeAcoustics(const Words &sizes);
Row makeNearest(const Words &sizes);
Row makeHeatSteps(const Words &sizes);
Row makeLud(const Words &sizes);
Row makeLbm(const Words &sizes);
Row makeOptionPricing(const Words &sizes);
Row makeLocvol(const Words &sizes);

const std::map<std::string, Row (*)(const Words &)> makers = {
    {"nbody", makeNbody},
    {"md", makeMd},
    {"distances", makeDistances},
    {"mriq", makeMriq},
    {"black_scholes", makeBlackScholes},
    {"atax", makeAtax},
    {"gesummv", makeGesummv},
    {"convolve", makeConvolve},
    {"separable", makeSeparable},
    {"gaussian", makeGaussian},
    {"gradient", makeGradient},
    {"sobel", makeSobel},
    {"jacobi", makeJacobi},
    {"jacobi9", makeJacobi9},
    {"life", makeLife},
    {"hotspot", makeHotspot},
    {"srad", makeSrad},
    {"heat", makeHeat},
    {"nw", makeNw},
    {"heat3", makeHeat3},
    {"jacobi13", makeJacobi13},
    {"hotspot3", makeHotspot3},
    {"acoustics", makeAcoustics},
    {"nearest", makeNearest},
    {"heat_steps", makeHeatSteps},
    {"lud", makeLud},
    {"lbm", makeLbm},
    {"option_pricing", makeOptionPricing},
    {"locvol", makeLocvol},
};
