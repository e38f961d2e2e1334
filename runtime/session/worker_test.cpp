#include "runtime/session/worker.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <vector>

namespace tangram::runtime {
namespace {

/// Why a worker that does `body` gives no answer.
std::string endOf(const Worker::Body &body, double timeLimit = defaultTimeLimit) {
  Result<Worker> worker = Worker::start(body, timeLimit);
  if (!worker)
    return worker.error().message;
  char answer = 0;
  Status status = worker->receive(&answer, 1);
  if (status)
    return "answered";
  worker->send(&answer, 1); // no SIGPIPE
  EXPECT_FALSE(worker->receive(&answer, 1));
  return status.error().message;
}

TEST(Worker, AnswersAsOftenAsItIsAsked) {
  std::vector<int> numbers(100000, 1);
  Result<Worker> worker = Worker::start(
      [&](Channel &owner) {
        for (int add = 0; owner.receive(&add, sizeof add);) {
          for (int &number : numbers)
            number += add;
          owner.send(numbers.data(), numbers.size() * sizeof(int));
        }
      },
      defaultTimeLimit);
  ASSERT_TRUE(worker) << worker.error().message;
  std::vector<int> answer(numbers.size());
  for (int add : {1, 40}) {
    worker->send(&add, sizeof add);
    ASSERT_TRUE(worker->receive(answer.data(), answer.size() * sizeof(int)));
  }
  EXPECT_EQ(answer, std::vector<int>(numbers.size(), 42));
  EXPECT_EQ(numbers.front(), 1); // its writes are its own
}

TEST(Worker, SaysHowItEnded) {
  EXPECT_EQ(endOf([](Channel &) { raise(SIGBUS); }),
            "ended by signal 7 (Bus error); a codelet may index outside a container");
  EXPECT_EQ(endOf([](Channel &) { raise(SIGSEGV); }),
            "ended by signal 11 (Segmentation fault); a codelet may index outside a container");
  EXPECT_EQ(endOf([](Channel &) { raise(SIGFPE); }),
            "ended by signal 8 (Floating point exception); a codelet may divide by 0");
  EXPECT_EQ(endOf([](Channel &) { raise(SIGKILL); }),
            "ended by signal 9 (Killed); the memory may not suffice");
  EXPECT_EQ(endOf([](Channel &) { raise(SIGTERM); }), "ended by signal 15 (Terminated)");
  EXPECT_EQ(endOf([](Channel &) { _exit(5); }), "ended with exit status 5");
}

TEST(Worker, LoopsAreEnded) {
  EXPECT_EQ(endOf(
                [](Channel &) {
                  for (;;)
                    pause();
                },
                0.25),
            "ended after 0.25 s without a result; it may loop for ever, --time-limit gives it "
            "longer");
}

} // namespace
} // namespace tangram::runtime
