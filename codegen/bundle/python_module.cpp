#include "codegen/bundle/python_module.h"

#include "codegen/printing/source.h"
#include "escape/escape.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

/// What NumPy calls an element type.
std::string numpyName(Scalar type) {
  switch (type) {
  case Scalar::Bool:
    return "bool";
  case Scalar::Index:
    return "uint64";
  default:
    break;
  }
  const std::string kind = isFloating(type) ? "float" : isSigned(type) ? "int" : "uint";
  return kind + std::to_string(byteSize(type) * 8);
}

/// Words that cannot be names.
constexpr std::array<const char *, 35> keywords{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

/// Names that the Python function itself uses; no parameter gets one of them.
constexpr std::array<const char *, 2> used{"threads", "_call"};

bool isKeyword(const std::string &name) {
  return std::ranges::find(keywords, name) != keywords.end();
}

/// The parameters' names in Python, none twice.
std::vector<std::string> pythonNames(const Spectrum &spectrum) {
  std::set<std::string> taken(used.begin(), used.end());
  std::vector<std::string> names;
  for (const VarPtr &p : spectrum.params) {
    std::string name = p->name;
    while (isKeyword(name) || taken.contains(name))
      name += "_";
    taken.insert(name);
    names.push_back(name);
  }
  return names;
}

/// Modules of Python's own library, which NumPy and the module import: one of the same name in a folder of the
/// search path takes their place.
constexpr const char *standardModules = R"names(
abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop
collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg
crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email
encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html
http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3
linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib
msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse
os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri
random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve
shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable
sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time
timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types
typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound
wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo numpy
)names";

constexpr const char *moduleText = R"PY("""@NAME@, composed for @MODEL@, with NumPy arrays.

    import @NAME@
    @EXAMPLE@

Arrays have the types of the C function and are C-contiguous; those that it writes are written in place. Needs
NumPy, and the library as a shared one:

    cmake -S . -B build -DBUILD_SHARED_LIBS=ON && cmake --build build
"""

import ctypes
import operator
import pathlib

import numpy

__all__ = ["@NAME@"]

# Name, type of the elements, dimensions (0: a number), whether it is written.
_PARAMETERS = [@PARAMETERS@]
_RESULT = @RESULT@


def @NAME@(@HEAD@):
    """@DOC@"""
    return _call((@ARGUMENTS@), threads)


def _load():
    folder = pathlib.Path(__file__).resolve().parent
    for place, name in ((folder, "@NAME@"), (folder / "build", "@NAME@")@OTHERS@):
        for end in ("so", "dylib"):
            if (place / f"lib{name}.{end}").exists():
                return ctypes.CDLL(str(place / f"lib{name}.{end}"))
    raise ImportError(f"expected lib@NAME@.so in {folder} or {folder / 'build'}; make it by: cmake -S {folder} "
                      f"-B {folder / 'build'} -DBUILD_SHARED_LIBS=ON && cmake --build {folder / 'build'}")


_library = _load()


def _check(name, array, element, dimensions, written):
    """Raises what is wrong with an array."""
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"{name}: expected a NumPy array of {element}, found {type(array).__name__}")
    if array.dtype != numpy.dtype(element):
        raise TypeError(f"{name}: expected elements of type {element}, found {array.dtype}")
    if array.ndim != dimensions:
        raise ValueError(f"{name}: expected {dimensions} dimension{'s' * (dimensions > 1)}, found {array.ndim}")
    if not array.flags.c_contiguous or not array.flags.aligned:
        raise ValueError(f"{name}: expected an array without gaps, row by row (numpy.ascontiguousarray makes one)")
    if written and not array.flags.writeable:
        raise ValueError(f"{name}: expected an array that can be written, found one that is read-only")


def _number(name, value, element):
    """The number as C takes it."""
    kind = numpy.dtype(element)
    if kind.kind in "iu":
        try:
            value = operator.index(value)
        except TypeError:
            raise TypeError(f"{name}: expected a whole number, found {type(value).__name__}") from None
        limits = numpy.iinfo(kind)
        if not limits.min <= value <= limits.max:
            raise OverflowError(f"{name}: expected {limits.min} to {limits.max} ({element}), found {value}")
    else:
        try:
            value = float(value) if kind.kind == "f" else bool(value)
        except TypeError:
            raise TypeError(f"{name}: expected a number, found {type(value).__name__}") from None
    return numpy.ctypeslib.as_ctypes_type(kind)(value)


def _call(values, threads):
    words, sizes = [], []  # arguments of the C function, and of the one that says how large a workspace is
    for (name, element, dimensions, written), value in zip(_PARAMETERS, values):
        if dimensions == 0:
            number = _number(name, value, element)
            words.append(number)
            sizes.append(number)
            continue
        _check(name, value, element, dimensions, written)
        extents = [ctypes.c_size_t(extent) for extent in value.shape]
        words += [ctypes.c_void_p(value.ctypes.data), *extents]
        sizes += extents
    result = numpy.zeros(1, _RESULT) if _RESULT else None
    if _RESULT:
        words.append(ctypes.c_void_p(result.ctypes.data))
    if threads is None:
        status = _library.@NAME@(*words)
    else:
        status = _on_threads(words, sizes, threads)
    if status == 2:
        raise MemoryError(f"@NAME@: {_message(status)}")
    if status != 0:
        shapes = ", ".join(f"{name} {value.shape}" if dimensions else f"{name} = {value}"
                           for (name, _, dimensions, _), value in zip(_PARAMETERS, values))
        raise ValueError(f"@NAME@: {_message(status)}: {shapes}")
    return result[0] if _RESULT else None


def _message(status):
    _library.@NAME@_message.restype = ctypes.c_char_p
    return _library.@NAME@_message(status).decode()


def _on_threads(words, sizes, threads):
    threads = operator.index(threads)
    if threads < 1:
        raise ValueError(f"threads: expected 1 or more, found {threads}")
    count, needed = ctypes.c_size_t(threads), ctypes.c_size_t(0)
    status = _library.@NAME@_workspace(*sizes, count, ctypes.byref(needed))
    if status != 0:
        return status
    workspace = numpy.empty(needed.value, numpy.uint8)
    return _library.@NAME@_on_threads(*words, count, ctypes.c_void_p(workspace.ctypes.data), needed)
)PY";

constexpr const char *collectionText =
    R"PY("""@NAME@, composed for @MODEL@, with NumPy arrays: @LIST@.

    import @NAME@
    help(@NAME@.@FIRST@)

Needs NumPy, and the library as a shared one:

    cmake -S . -B build -DBUILD_SHARED_LIBS=ON && cmake --build build
"""

import importlib.util
import pathlib

__all__ = [@QUOTED@]


def _function(name):
    file = pathlib.Path(__file__).resolve().parent / name / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"{__name__}.{name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


@FUNCTIONS@)PY";

} // namespace

std::string printCollectionModule(const std::string &name, const std::string &model,
                                  const std::vector<std::string> &members) {
  std::string list, quoted, functions;
  for (const std::string &each : members) {
    list += (list.empty() ? "" : ", ") + each;
    quoted += (quoted.empty() ? "\"" : ", \"") + each + "\"";
    functions += each + " = _function(\"" + each + "\")\n";
  }
  std::string text = collectionText;
  for (const auto &[what, by] : {
           std::pair<std::string, std::string>{"@MODEL@", escape::python(model)},
           {"@LIST@", list},
           {"@FIRST@", members.front()},
           {"@QUOTED@", quoted},
           {"@FUNCTIONS@", functions},
           {"@NAME@", name},
       })
    text = replaced(text, what, by);
  return text;
}

std::string problemOfModule(const std::string &name) {
  if (isKeyword(name))
    return "is a word of Python";
  std::istringstream words(standardModules);
  for (std::string word; words >> word;) {
    if (word == name)
      return "is a module that it or NumPy imports";
  }
  return "";
}

std::string printPythonModule(const LoweredPlan &plan, const Spectrum &spectrum,
                              const std::string &collection) {
  std::string parameters;
  std::string names;
  std::string doc;
  const std::vector<std::string> given = pythonNames(spectrum);
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    const unsigned rank = p->type.rank;
    const bool written = rank > 0 && !p->type.isConst;
    const std::string element = numpyName(p->type.scalar);
    parameters += (parameters.empty() ? "" : ",\n               ") + ("(\"" + p->name) + "\", \"" +
                  element + "\", " + std::to_string(rank) + ", " + (written ? "True" : "False") +
                  ")";
    names += (names.empty() ? "" : ", ") + given[i];
    doc += "\n    " + given[i] + ": ";
    if (rank == 0)
      doc += "a number (" + element + ")";
    else
      doc += std::to_string(rank) + (rank > 1 ? " dimensions of " : " dimension of ") + element +
             (written ? ", written" : "");
  }
  const std::string result = plan.result ? numpyName(plan.result->type.scalar) : "";
  doc += "\n    threads: how many; None: as many as OpenMP takes\n";
  if (!result.empty())
    doc += "    Returns a " + result + ".\n";
  doc = "Raises TypeError or ValueError for what the C function must not get.\n" + doc + "    ";
  const std::string call = plan.spectrum + "." + plan.spectrum + "(" + names + ")";
  std::string text = moduleText;
  for (const auto &[what, by] : {
           std::pair<std::string, std::string>{"@MODEL@", escape::python(plan.machine->name)},
           {"@EXAMPLE@", (result.empty() ? "" : "result = ") + call},
           {"@PARAMETERS@", parameters},
           {"@RESULT@", result.empty() ? "None" : "\"" + result + "\""},
           {"@HEAD@", names + (names.empty() ? "" : ", *, ") + "threads=None"},
           {"@DOC@", doc},
           {"@ARGUMENTS@", names + (spectrum.params.size() == 1 ? "," : "")},
           {"@OTHERS@", collection.empty()
                            ? ""
                            : ",\n                        (folder.parent, \"" + collection +
                                  "\"), (folder.parent / \"build\", \"" + collection + "\")"},
           {"@NAME@", plan.spectrum},
       })
    text = replaced(text, what, by);
  return text;
}

} // namespace tangram::codegen
