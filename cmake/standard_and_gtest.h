// The same for unit tests.
#pragma once

#include "cmake/standard.h"

#include <gtest/gtest.h>
