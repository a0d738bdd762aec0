// Runs the tests of the decoder headers: `suite CODE_OBJECT...`, with code objects that have a map. One line a test; the
// exit status is 1 when something does not hold.

#include <exception>

#include "check.hpp"

int main(int count, char **arguments) {
  check::fixtures().assign(arguments + 1, arguments + count);
  for (const check::Test &test : check::tests()) {
    const unsigned before = check::failures();
    try {
      test.run();
    } catch (const std::exception &error) {
      check::fail(test.name, 0, error.what());
    }
    std::cout << (check::failures() == before ? "ok    " : "FAIL  ") << test.name << '\n';
  }
  std::cout << check::tests().size() << " tests, " << check::failures() << " failures\n";
  return check::failures() == 0 && !check::tests().empty() ? 0 : 1;
}
