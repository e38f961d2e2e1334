// MRI-Q of Parboil: the matrix Q of a reconstruction of magnetic resonance images. Columns of
// `samples` are kx, ky, kz and the squared magnitude of phi; columns of `voxels` are places; those of `q`
// are complex numbers, the real part first.
#include <tangram.h>

// q = the sum over all samples of |phi|^2 exp(2 pi i (k . x)).
template <class T> __codelet
void mriq(const Array<2, T> samples, const Array<2, T> voxels, Array<2, T> q) {
  require(samples.size(0) == 4);
  require(voxels.size(0) == 3);
  require(q.size(0) == 2);
  require(q.size(1) == voxels.size(1));
  typical(samples.size(1), 2048);
  for (unsigned i = 0; i < voxels.size(1); ++i) {
    T re = 0;
    T im = 0;
    for (unsigned k = 0; k < samples.size(1); ++k) {
      T angle = (T)6.2831853071795864769 * (samples[0][k] * voxels[0][i] + samples[1][k] * voxels[1][i] +
                                            samples[2][k] * voxels[2][i]);
      re += samples[3][k] * cos(angle);
      im += samples[3][k] * sin(angle);
    }
    q[0][i] = re;
    q[1][i] = im;
  }
}

// Every lane a voxel, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(lane_a_voxel)
void mriq(const Array<2, T> samples, const Array<2, T> voxels, Array<2, T> q) {
  for (unsigned i = coopIdx(); i < voxels.size(1); i += coopDim()) {
    T re = 0;
    T im = 0;
    for (unsigned k = 0; k < samples.size(1); ++k) {
      T angle = (T)6.2831853071795864769 * (samples[0][k] * voxels[0][i] + samples[1][k] * voxels[1][i] +
                                            samples[2][k] * voxels[2][i]);
      re += samples[3][k] * cos(angle);
      im += samples[3][k] * sin(angle);
    }
    q[0][i] = re;
    q[1][i] = im;
  }
}

// The same, with as many samples at a time as there are lanes: each lane brings one along for all, and they are taken
// by fours. Past the last one are samples without magnitude.
template <class T> __codelet __coop __tag(shared_samples)
void mriq(const Array<2, T> samples, const Array<2, T> voxels, Array<2, T> q) {
  require(coopDim() % 4 == 0);
  __shared T near[4 * coopDim()];
  unsigned id = coopIdx();
  for (unsigned first = 0; first < voxels.size(1); first += coopDim()) {
    unsigned i = first + id < voxels.size(1) ? first + id : first;
    T x = voxels[0][i];
    T y = voxels[1][i];
    T z = voxels[2][i];
    T re = 0;
    T im = 0;
    for (unsigned tile = 0; tile < samples.size(1); tile += coopDim()) {
      for (unsigned d = 0; d < 4; ++d)
        near[4 * id + d] = tile + id < samples.size(1) ? samples[d][tile + id] : 0;
      for (unsigned k = 0; k < coopDim(); k += 4) {
        T four[16];
        for (unsigned e = 0; e < 16; ++e)
          four[e] = near[4 * k + e];
        for (unsigned s = 0; s < 4; ++s) {
          T angle = (T)6.2831853071795864769 * (four[4 * s] * x + four[4 * s + 1] * y + four[4 * s + 2] * z);
          re += four[4 * s + 3] * cos(angle);
          im += four[4 * s + 3] * sin(angle);
        }
      }
    }
    if (first + id < voxels.size(1)) {
      q[0][first + id] = re;
      q[1][first + id] = im;
    }
  }
}

// As many blocks of voxels as there are workers.
template <class T> __codelet __tag(voxel_parts)
void mriq(const Array<2, T> samples, const Array<2, T> voxels, Array<2, T> q) {
  __tunable unsigned p;
  map(mriq<T>, all(samples), cols(voxels, p), cols(q, p));
}

// Blocks of b voxels.
template <class T> __codelet __tag(voxel_blocks)
void mriq(const Array<2, T> samples, const Array<2, T> voxels, Array<2, T> q) {
  __tunable unsigned b = choice(256, 64, 128, 512);
  map(mriq<T>, all(samples), col_chunks(voxels, b), col_chunks(q, b));
}

// The squared magnitude of complex numbers.
template <class T> __codelet
T magnitude(T re, T im) {
  return re * re + im * im;
}
template <class T> __codelet
void phi_magnitudes(const Array<1, T> re, const Array<1, T> im, Array<1, T> out) {
  require(im.size() == re.size());
  require(out.size() == re.size());
  for (unsigned k = 0; k < out.size(); ++k)
    out[k] = re[k] * re[k] + im[k] * im[k];
}
template <class T> __codelet __tag(by_sample)
void phi_magnitudes(const Array<1, T> re, const Array<1, T> im, Array<1, T> out) {
  out = map(magnitude<T>, re, im);
}

template void mriq<float>(const Array<2, float>, const Array<2, float>, Array<2, float>);
template void phi_magnitudes<float>(const Array<1, float>, const Array<1, float>, Array<1, float>);
