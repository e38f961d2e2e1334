"""Rules, plans and counts that the TANGRAM dissertation prints for sum (figures 5.5 to 5.8).

Unlike golden files these are never updated: they come from the book, and from counting by hand
with an independent program.
"""

import json

from pipeline import Pipeline

SUM = ["codelets/sum.cpp", "--spectrum", "sum"]

RULES = {
    None: ["L1: S_L, devolve(l_L), compose(sum, l_L)",
           "L2: compute(sum#1, SE_L)",
           "L3: compute(kog, VE_L)",
           "L4: S_L, regroup(asso_tiled, L), distribute(l_L), compose(sum, l_L), "
           "compose(sum, L)",
           "L5: S_L, regroup(stride_tiled, L), distribute(l_L), compose(sum, l_L), "
           "compose(sum, L)"],
    "simple-cpu": ["P1: S_P, devolve(T), compose(sum, T)",
                   "P4: S_P, regroup(asso_tiled, P), distribute(T), compose(sum, T), "
                   "compose(sum, P)",
                   "P5: S_P, regroup(stride_tiled, P), distribute(T), compose(sum, T), "
                   "compose(sum, P)",
                   "T2: compute(sum#1, SE_T)"],
    "simple-gpu": ["G1: S_G, devolve(B), compose(sum, B)",
                   "G4: S_G, regroup(asso_tiled, G), distribute(B), compose(sum, B), "
                   "compose(sum, G)",
                   "G5: S_G, regroup(stride_tiled, G), distribute(B), compose(sum, B), "
                   "compose(sum, G)",
                   "B1: S_B, devolve(T), compose(sum, T)",
                   "B3: compute(kog, VE_B)",
                   "B4: S_B, regroup(asso_tiled, B), distribute(T), compose(sum, T), "
                   "compose(sum, B)",
                   "B5: S_B, regroup(stride_tiled, B), distribute(T), compose(sum, T), "
                   "compose(sum, B)",
                   "T2: compute(sum#1, SE_T)"],
}

FIRST_PLAN = {
    "simple-cpu": "S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, "
                  "devolve(T), compute(sum#1, SE_T)",
    "simple-gpu": "S_G, regroup(asso_tiled, G), distribute(B), S_B, regroup(stride_tiled, B), "
                  "distribute(T), compute(sum#1, SE_T), compute(kog, VE_B), S_G, devolve(B), S_B, "
                  "regroup(stride_tiled, B), distribute(T), compute(sum#1, SE_T), "
                  "compute(kog, VE_B)",
}

BLOCK_PLANS = {  # figure 5.8
    "compute(kog, VE_B)",
    "S_B, devolve(T), compute(sum#1, SE_T)",
    "S_B, regroup(asso_tiled, B), distribute(T), compute(sum#1, SE_T), compute(kog, VE_B)",
    "S_B, regroup(stride_tiled, B), distribute(T), compute(sum#1, SE_T), compute(kog, VE_B)",
}

COUNTS = [
    (["--hw", "simple-cpu"], {2: 1, 3: 3, 4: 7, 5: 15, 6: 31, 7: 63, 8: 127}),
    (["--hw", "simple-gpu"], {2: 1, 3: 12, 4: 250, 5: 11022, 6: 1014070}),
    (["--hw", "simple-gpu", "--level", "B"], {1: 1, 2: 4, 3: 10, 4: 22}),
]


def plans(test, *options):
    return json.loads(test.expect("tangram", "plans", *SUM, "--format", "json", *options).out)


def check_rules(test):
    for model, wanted in RULES.items():
        machine = ["--hw", model] if model else []
        listed = json.loads(test.expect("tangram", "rules", SUM[0], "--format", "json",
                                        *machine).out)
        test.equal([f"{rule['level']}{rule['number']}: {', '.join(rule['steps'])}"
                    for rule in listed["rules"]], wanted, f"rules of {model or 'the program'}")


def check_plans(test):
    for model, wanted in FIRST_PLAN.items():
        for strategy in ("thesis", "all"):
            first = plans(test, "--hw", model, "--strategy", strategy, "--limit", "1")["plans"][0]
            test.equal(", ".join(first["steps"]), wanted, f"best plan of {model}, {strategy}")
    for strategy in ("thesis", "all"):
        block = plans(test, "--hw", "simple-gpu", "--level", "B", "--iterations", "2",
                      "--strategy", strategy)
        test.equal({", ".join(plan["steps"]) for plan in block["plans"]}, BLOCK_PLANS,
                   f"plans from the block, {strategy}")


def check_counts(test):
    for machine, counts in COUNTS:
        for iterations, wanted in counts.items():
            options = [*machine, "--strategy", "all", "--iterations", iterations]
            test.equal(plans(test, *options, "--count")["count"], wanted,
                       f"count, {' '.join(machine)}, {iterations} iterations")
            if wanted <= 250:
                ids = {plan["id"] for plan in plans(test, *options)["plans"]}
                test.equal(len(ids), wanted,
                           f"different plans, {' '.join(machine)}, {iterations} iterations")
    large = plans(test, "--hw", "simple-gpu", "--strategy", "all", "--iterations", "20",
                  "--count")["count"]
    test.check(isinstance(large, str) and large.isdigit() and len(large) == 66,
               f"count within 20 iterations: 66 digits as a string are expected, found {large!r}")


def main():
    test = Pipeline(__doc__)
    check_rules(test)
    check_plans(test)
    check_counts(test)
    test.finish()


if __name__ == "__main__":
    main()
