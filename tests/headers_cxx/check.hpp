// A test suite in a page: TEST registers a function, CHECK and CHECK_EQUAL say what does not hold and go on.

#ifndef SQTT_TESTS_CHECK_HPP
#define SQTT_TESTS_CHECK_HPP

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace check {

struct Test {
  const char *name;
  void (*run)();
};

inline std::vector<Test> &tests() {
  static std::vector<Test> all;
  return all;
}

inline unsigned &failures() {
  static unsigned count = 0;
  return count;
}

// Directories and files that the caller of the suite names.
inline std::vector<std::string> &fixtures() {
  static std::vector<std::string> paths;
  return paths;
}

inline bool add(const char *name, void (*run)()) {
  tests().push_back({name, run});
  return true;
}

inline void fail(const char *file, int line, const std::string &what) {
  failures()++;
  std::cerr << file << ':' << line << ": " << what << '\n';
}

template <class A, class B>
void equal(const char *file, int line, const char *what, const A &left, const B &right) {
  if (left == right) return;
  fail(file, line, what);
  std::cerr << "  left:  " << left << "\n  right: " << right << '\n';
}

}  // namespace check

#define TEST(name)                                                \
  static void name();                                             \
  static const bool name##_added = check::add(#name, name);       \
  static void name()

#define CHECK(condition) ((condition) ? void() : check::fail(__FILE__, __LINE__, #condition))
#define CHECK_EQUAL(left, right) check::equal(__FILE__, __LINE__, #left " == " #right, (left), (right))

#endif
