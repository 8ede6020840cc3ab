// The example of docs/tutorials/cpp.md compiles, and what it shows is true.
#include <gtest/gtest.h>

#define main hello_main  // the example is a program of its own
#include "../../examples/hello.cpp"
#undef main

TEST(Hello, HeldTubeKeepsMoreWrinkles) {
    const double brief = twist_and_measure(0), held = twist_and_measure(600);
    EXPECT_GT(brief, 1);
    EXPECT_GT(held, 1.5 * brief);
}
