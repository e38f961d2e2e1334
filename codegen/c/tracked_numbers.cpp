#include "codegen/c/tracked_numbers.h"

#include <array>

namespace tangram::codegen {

namespace {

constexpr const char *definitions =
    R"(template <class T> static T tangram_abs_of(T x) { return x < 0 ? -x : x; }
template <class T> static T tangram_max_of(T a, T b) { return a < b ? b : a; }
// No rounding makes or unmakes one.
template <class T> static bool tangram_is_infinite(T x) { return x == x && x - x != 0; }

// A number in its own type, which decides; in a wider one, which results are compared with; what
// rounding errors are relative to; and how many of them one may have behind it.
template <class Own, class Wide> struct tangram_number {
  Own own;
  Wide wide, magnitude;
  double roundings;

  tangram_number() = default;
  tangram_number(Own own, Wide wide, Wide magnitude, double roundings)
      : own(own), wide(wide), magnitude(magnitude), roundings(roundings) {}
  template <class Number>
  tangram_number(Number number)
      : own((Own)number), wide((Wide)number), magnitude(tangram_abs_of((Wide)number)),
        roundings((Wide)(Own)number == (Wide)number ? 0 : 1) {}
  template <class Other, class Wider>
  tangram_number(const tangram_number<Other, Wider> &x)
      : own((Own)x.own), wide((Wide)x.wide), magnitude((Wide)x.magnitude),
        roundings(sizeof(Own) > sizeof(Other) ? x.roundings * 0x1p29 : x.roundings * 0x1p-29 + 1) {}
  template <class Number> explicit operator Number() const { return (Number)own; }

  tangram_number operator-() const { return {-own, -wide, magnitude, roundings}; }
  double after(const tangram_number &b) const { return tangram_max_of(roundings, b.roundings) + 1; }
  friend tangram_number operator+(const tangram_number &a, const tangram_number &b) {
    return {a.own + b.own, a.wide + b.wide, a.magnitude + b.magnitude, a.after(b)};
  }
  friend tangram_number operator-(const tangram_number &a, const tangram_number &b) {
    return {a.own - b.own, a.wide - b.wide, a.magnitude + b.magnitude, a.after(b)};
  }
  // Of two factors: what the errors of each do to the other, and to each other, unless `all` of both is less.
  static Wide bounded(Wide one_by_one, Wide all, double roundings) {
    const Wide bound = one_by_one + (Wide)(roundings * (sizeof(Own) == 4 ? 0x1p-22 : 0x1p-51)) * all;
    return bound < all ? bound : all;
  }
  friend tangram_number operator*(const tangram_number &a, const tangram_number &b) {
    const Wide one_by_one =
        tangram_abs_of(b.wide) * a.magnitude + tangram_abs_of(a.wide) * b.magnitude;
    return {a.own * b.own, a.wide * b.wide,
            bounded(one_by_one, a.magnitude * b.magnitude, a.after(b)), a.after(b)};
  }
  friend tangram_number operator/(const tangram_number &a, const tangram_number &b) {
    const Wide divisor = tangram_abs_of(b.wide);
    if (tangram_is_infinite(divisor))
      return {a.own / b.own, a.wide / b.wide, 0, a.after(b)};
    const Wide one = a.magnitude / divisor, other = b.magnitude / divisor;
    return {a.own / b.own, a.wide / b.wide,
            bounded(one + tangram_abs_of(a.wide) / divisor * other, one * other, a.after(b)),
            a.after(b)};
  }
  tangram_number &operator+=(const tangram_number &b) { return *this = *this + b; }
  tangram_number &operator-=(const tangram_number &b) { return *this = *this - b; }
  tangram_number &operator*=(const tangram_number &b) { return *this = *this * b; }
  tangram_number &operator/=(const tangram_number &b) { return *this = *this / b; }
  friend bool operator<(const tangram_number &a, const tangram_number &b) { return a.own < b.own; }
  friend bool operator>(const tangram_number &a, const tangram_number &b) { return a.own > b.own; }
  friend bool operator<=(const tangram_number &a, const tangram_number &b) { return a.own <= b.own; }
  friend bool operator>=(const tangram_number &a, const tangram_number &b) { return a.own >= b.own; }
  friend bool operator==(const tangram_number &a, const tangram_number &b) { return a.own == b.own; }
  friend bool operator!=(const tangram_number &a, const tangram_number &b) { return a.own != b.own; }
};
using tangram_float = tangram_number<float, double>;
using tangram_double = tangram_number<double, long double>;

// Rounding may choose the other one, unless that is an infinity.
template <class Number> static Number tangram_choose(bool first, const Number &a, const Number &b) {
  Number chosen = first ? a : b;
  if (tangram_is_infinite((first ? b : a).wide))
    return chosen;
  chosen.magnitude = tangram_max_of(a.magnitude, b.magnitude);
  chosen.roundings = tangram_max_of(a.roundings, b.roundings);
  return chosen;
}
template <class Number> static Number tangram_min(const Number &a, const Number &b) {
  Number least = tangram_choose(!(b.own < a.own), a, b);
  least.wide = b.wide < a.wide ? b.wide : a.wide;
  return least;
}
template <class Number> static Number tangram_max(const Number &a, const Number &b) {
  Number most = tangram_choose(!(a.own < b.own), a, b);
  most.wide = a.wide < b.wide ? b.wide : a.wide;
  return most;
}
)";

/// How the magnitude of f(x, y, z) follows from r = f(x, y, z) in wide and from theirs.
std::string magnitudeOf(const std::string &f) {
  if (f == "fabs" || f == "copysign")
    return "x.magnitude";
  if (f == "fmin" || f == "fmax") // as tangram_choose
    return "tangram_is_infinite(r)        ? tangram_abs_of(r)\n          "
           ": tangram_is_infinite(x.wide) ? y.magnitude\n          "
           ": tangram_is_infinite(y.wide) ? x.magnitude\n          "
           "                              : tangram_max_of(x.magnitude, y.magnitude)";
  if (f == "fma")
    return "x.magnitude * y.magnitude + z.magnitude";
  // |f(x)| * M(x) / |x|; at 0 that is not defined, and the root of M(x) is what is left.
  if (f == "sqrt" || f == "cbrt")
    return "x.wide == 0 ? tangram_do_" + f +
           "(x.magnitude) : tangram_abs_of(r) * (x.magnitude / tangram_abs_of(x.wide))";
  const std::string whole = "tangram_abs_of(r) + ";
  if (f == "exp" || f == "exp2")
    return whole + "r * x.magnitude";
  if (f == "expm1")
    return whole + "(r + 1) * x.magnitude";
  if (f == "sinh" || f == "cosh")
    return whole + "(tangram_abs_of(r) + 1) * x.magnitude";
  if (f == "log" || f == "log10")
    return whole + "x.magnitude / tangram_abs_of(x.wide)";
  if (f == "log2") // 1 / ln 2 is below 2
    return whole + "2 * x.magnitude / tangram_abs_of(x.wide)";
  if (f == "log1p")
    return whole + "x.magnitude / tangram_abs_of(1 + x.wide)";
  if (f == "acosh")
    return whole + "x.magnitude / tangram_do_sqrt(tangram_abs_of(x.wide * x.wide - 1))";
  if (f == "atanh")
    return whole + "x.magnitude / tangram_abs_of(1 - x.wide * x.wide)";
  if (f == "erf" || f == "erfc") // 2 / sqrt(pi) is below 2
    return whole + "2 * x.magnitude";
  if (f == "pow" || f == "atan2" || f == "hypot" || f == "fmod")
    return whole + "x.magnitude + y.magnitude";
  return whole + "x.magnitude";
}

unsigned arity(const std::string &f) {
  if (f == "fma")
    return 3;
  for (const char *two : {"pow", "atan2", "hypot", "fmod", "fmin", "fmax", "copysign"}) {
    if (f == two)
      return 2;
  }
  return 1;
}

/// Jumps: what it is of the own number is what it is.
bool jumps(const std::string &f) {
  for (const char *one : {"floor", "ceil", "trunc", "round", "rint", "fmod"}) {
    if (f == one)
      return true;
  }
  return false;
}

/// The same where no infinity is given: what is made of one has no rounding error.
std::string magnitudeOfFinite(const std::string &f, unsigned count) {
  const bool hands = f == "fabs" || f == "copysign" || f == "fmin" || f == "fmax" || f == "fmod";
  if (hands || count > 2)
    return magnitudeOf(f);
  return std::string("tangram_is_infinite(x.wide)") +
         (count > 1 ? " || tangram_is_infinite(y.wide)" : "") +
         " ? tangram_abs_of(r) : " + magnitudeOf(f);
}

std::string list(unsigned count, const std::string &before, const std::string &after) {
  static constexpr std::array<const char *, 3> names{"x", "y", "z"};
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += (i == 0 ? "" : ", ") + before + names[i] + after;
  return text;
}

std::string functionText(const std::string &f) {
  const unsigned count = arity(f);
  std::string text = "\nextern \"C\" {\n";
  for (auto [type, suffix] : {std::pair("float", "f"), {"double", ""}, {"long double", "l"}}) {
    text += std::string(type) + " " + f + suffix + "(";
    for (unsigned i = 0; i < count; ++i)
      text += (i == 0 ? "" : ", ") + std::string(type);
    text += ");\n";
  }
  text += "}\n";
  for (auto [type, suffix] : {std::pair("float", "f"), {"double", ""}, {"long double", "l"}})
    text += "static inline " + std::string(type) + " tangram_do_" + f + "(" +
            list(count, std::string(type) + " ", "") + ") { return " + f + suffix + "(" +
            list(count, "", "") + "); }\n";
  text += "template <class Number> static Number tangram_" + f + "(" +
          list(count, "const Number &", "") + ") {\n";
  text += "  const auto own = tangram_do_" + f + "(" + list(count, "", ".own") + ");\n";
  text += "  const auto r = " +
          (jumps(f) ? "(decltype(x.wide))own"
                    : "tangram_do_" + f + "(" + list(count, "", ".wide") + ")") +
          ";\n";
  std::string roundings = "x.roundings";
  if (count > 1)
    roundings = "tangram_max_of(" + roundings + ", y.roundings)";
  if (count > 2)
    roundings = "tangram_max_of(" + roundings + ", z.roundings)";
  return text + "  return {own, r, " + magnitudeOfFinite(f, count) + ", " + roundings +
         (f == "fabs" || f == "copysign" || f == "fmin" || f == "fmax" ? "" : " + 1") + "};\n}\n";
}

bool isBuiltIn(const std::string &f) { return f == "min" || f == "max"; }

} // namespace

std::string trackedFunction(const std::string &function) {
  return "tangram_" + (function == "abs" ? "fabs" : function);
}

std::string trackedNumbers(const std::set<std::string> &functions) {
  std::string text = definitions;
  std::set<std::string> needed;
  for (const std::string &f : functions)
    needed.insert(f == "abs" ? "fabs" : f);
  for (const std::string &f : needed) {
    if (!isBuiltIn(f))
      text += functionText(f);
  }
  return text + "\n";
}

} // namespace tangram::codegen
