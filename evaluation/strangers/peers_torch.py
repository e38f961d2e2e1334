"""What programs here do in PyTorch: the expressions of the tables, on tensors named like the parameters.

Imported only where PyTorch is. On a GPU everything is in float32 (TF32 off), timed by events with cold caches: a buffer of
256 MiB is written before every call. On a CPU it is the wall clock of a call, after as much has been written.
"""

import math
import re
import time
from collections.abc import Callable

import torch
import torch.nn.functional as F

from table import Row

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.benchmark = True

TYPES = {"f32": torch.float32, "f64": torch.float64, "i32": torch.int32, "u8": torch.uint8}
FLUSHED = 256 << 20  # bytes


def likelihoods(start, step, emit, seen):
    """The forward algorithm of a hidden Markov model, a step of all sequences at a time."""
    alpha = start * emit.T[seen[:, 0].long()]
    logarithm = torch.log(alpha.sum(1))
    alpha = alpha / alpha.sum(1, keepdim=True)
    for t in range(1, seen.shape[1]):
        alpha = (alpha @ step) * emit.T[seen[:, t].long()]
        total = alpha.sum(1, keepdim=True)
        alpha = alpha / total
        logarithm = logarithm + torch.log(total[:, 0])
    return logarithm


def words(genome):
    """How often each word of six letters occurs."""
    count = genome.shape[0] - 5
    word = torch.zeros(max(count, 0), dtype=torch.int32, device=genome.device)
    for k in range(6):
        word = word * 4 + genome[k:k + max(count, 0)]
    return torch.bincount(word, minlength=4096)


def volatilities(price, spot, strike, years, rate):
    """Ten of Newton's steps to the volatility that gives a price, of all options at a time."""
    root = torch.sqrt(years)
    discounted = strike * torch.exp(-rate * years)
    ratio = torch.log(spot / discounted)
    guess = torch.full_like(price, 0.3)
    for _ in range(10):
        spread = guess * root
        d1 = ratio / spread + 0.5 * spread
        call = (0.5 * spot * (1 + torch.erf(d1 * math.sqrt(0.5)))
                - 0.5 * discounted * (1 + torch.erf((d1 - spread) * math.sqrt(0.5))))
        vega = spot * root * 0.39894228 * torch.exp(-0.5 * d1 * d1)
        guess = torch.clamp(guess - (call - price) / torch.clamp(vega, min=1e-6), 0.01, 3.0)
    return guess


def composite(layers):
    """Layers, the first one in front, as one image; colours and an opacity in the last dimension."""
    opacity = layers[..., 3:]
    seen = torch.cumprod(1 - opacity, 0)
    before = torch.cat((torch.ones_like(seen[:1]), seen[:-1]), 0)
    image = (before * opacity * layers).sum(0)
    image[..., 3:] = 1 - seen[-1]
    return image


GIVEN = {"torch": torch, "F": F, "math": math, "likelihoods": likelihoods, "words": words, "volatilities": volatilities,
         "composite": composite}


def compiled(row: Row, tensors: dict) -> Callable:
    """The same by torch.compile: a function of the tensors that the expression names."""
    names = {**GIVEN, **tensors}
    for name, expression in row.given.items():
        names[name] = tensors[name] = eval(expression, names)
    used = [name for name in tensors if re.search(rf"\b{name}\b", row.peer)]
    exec(f"def peer({', '.join(used)}):\n    return {row.peer}", names)
    call = torch.compile(names["peer"])
    arguments = [tensors[name] for name in used]
    return lambda: call(*arguments)


def random_tensor(shape: tuple[int, ...], element: str, device: str):
    """Numbers like those that tangram-run makes up: in [-1, 1), or small integers."""
    if TYPES[element].is_floating_point:
        return torch.rand(shape, dtype=TYPES[element], device=device) * 2 - 1
    return torch.randint(0, 1000 if element == "i32" else 256, shape, dtype=TYPES[element], device=device)


def tensor_of(values, device: str):
    """An array of NumPy's as a tensor."""
    return torch.from_numpy(values.astype("i8") if values.dtype == "u4" else values).to(device)


def function(row: Row, tensors: dict) -> Callable:
    """The peer of a row; a parameter called `in` stands in its expression as `in_`."""
    names = {**GIVEN, **tensors}
    for name, expression in row.given.items():
        names[name] = eval(expression, names)  # expressions of our own tables
    code = compile(row.peer, "<peer>", "eval")
    return lambda: eval(code, names)


def times(call: Callable, device: str, repeats: int, limit_s: float) -> list[float]:
    """Seconds of each call, fewer than `repeats` where they take longer than the limit together."""
    begin = time.monotonic()
    call()
    call()
    seconds = []
    while len(seconds) < repeats and (len(seconds) < 3 or time.monotonic() < begin + limit_s):
        seconds.append(gpu_seconds(call) if device == "cuda" else cpu_seconds(call))
    return seconds


def gpu_seconds(call: Callable) -> float:
    torch.empty(FLUSHED, dtype=torch.uint8, device="cuda").zero_()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda._sleep(200000)  # the call is under way before the device comes to it
    begin.record()
    call()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) / 1e3


def cpu_seconds(call: Callable) -> float:
    torch.empty(FLUSHED, dtype=torch.uint8).fill_(1)
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def forget(device: str) -> None:
    """Gives memory back, which ours is to have next."""
    if device == "cuda":
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
