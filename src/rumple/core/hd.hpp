// RUMPLE_HD marks functions that compile for the host and, under nvcc, for the device too.
#pragma once

#ifdef __CUDACC__
#define RUMPLE_HD __host__ __device__
#else
#define RUMPLE_HD
#endif
