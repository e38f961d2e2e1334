"""Sparse rows in parts of equal work (codelets/spmv.cpp, equal_parts): a row of many parts, rows of a
part and empty ones mean what rows one by one mean, for several numbers of items; and items wait for each
other wherever they have to. So do rows that are transposed in local memory (transposed_rows), shorter and longer than
what fits there.
"""

from pipeline import Pipeline, Tally

SOURCE, SPECTRUM = "codelets/spmv.cpp", "spmv<float>"
SHAPES = [("20000", "1,2,37,20000"), ("0,1,500", "0,1,30000")]  # numbers of elements, and of rows


def transposed(test):
    """All rows by one group, and blocks of rows."""
    for number, steps in enumerate(("S_G, devolve(B)", "S_G, regroup(row_blocks, G), distribute(B)")):
        sketch = f"{steps}, compute(transposed_rows, VE_B)"
        bundles = test.synth(SOURCE, SPECTRUM, "simple-gpu", "opencl", f"transposed{number}", "--plan", sketch)
        tally = Tally(test)
        for values, rows in SHAPES:
            tally.add(test.verify(bundles, "--size", f"values={values}", "--size", f"y={rows}", "--size", "x=50",
                                  "--set", "NUM_THREADS=32,96", "--set", "TRANSPOSED_ROWS_E=4,16"))
        print(f"{sketch}: {tally.text()}")
        test.check(tally.counts.get("verified", 0) >= 20, f"too few runs: {tally.counts}")
        text = test.expect("tangram", "interpret", SOURCE, "--spectrum", SPECTRUM, "--hw", "simple-gpu", "--target",
                           "opencl", "--plan", sketch, "--size", "values=900", "--size", "y=1,100", "--size",
                           "x=9", "--tunable", "NUM_THREADS=32", "--tunable", "TRANSPOSED_ROWS_E=4").out
        test.check("4 right" in text, f"interpreted: {text}")


def main():
    test = Pipeline(__doc__)
    test.need_opencl()
    transposed(test)
    bundles = test.synth(SOURCE, SPECTRUM, "h200", "opencl", "parts", "--plan", "any_rows")
    test.check(len(bundles) == 1, "no plan in equal parts")
    tally = Tally(test)
    for values, rows in SHAPES:
        tally.add(test.verify(bundles, "--size", f"values={values}", "--size", f"y={rows}", "--size", "x=50",
                              "--set", "EQUAL_PARTS_T=1792", "--set", "NUM_THREADS=32,96",
                              "--set", "EQUAL_LANES_E=5,7"))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= 40, f"too few runs: {tally.counts}")
    text = test.expect("tangram", "interpret", SOURCE, "--spectrum", SPECTRUM, "--hw", "h200", "--target",
                       "opencl", "--plan", "any_rows", "--size", "values=4000", "--size", "y=1,300", "--size",
                       "x=9", "--tunable", "NUM_THREADS=32", "--tunable", "EQUAL_PARTS_T=1792").out
    test.check("4 right" in text, f"interpreted: {text}")
    test.finish()


if __name__ == "__main__":
    main()
