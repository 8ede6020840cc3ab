// The example of docs/tutorials/cpp.md compiles, and what it shows is true.
#include <gtest/gtest.h>

#define main hello_main  // the example is a program of its own
#include "../../examples/hello.cpp"
#undef main

TEST(Hello, HeldTubeKeepsMoreWrinkles) {
    const double brief = twist_and_measure(0), held = twist_and_measure(600);
    EXPECT_NEAR(brief, 3116.2, 0.01 * 3116.2);  // as on the pages of the tutorials from C++ and Python
    EXPECT_NEAR(held, 7457.7, 0.01 * 7457.7);
}
