// Values to multiples of a step (or to powers of a ratio) within an error bound; what can't be expressed escapes exactly.
#pragma once
#include "kernels/base/map.h"
#include "kernels/quantizer/relative.h"
#include "kernels/quantizer/uniform.h"
#include "kernels/quantizer/whole.h"

FZM_CODECS_BEGIN

using QuantizerVariants = CodecList<
    UniformQuantizer<float, int32_t, Spelling::linear>, UniformQuantizer<float, int16_t, Spelling::linear>,
    UniformQuantizer<float, uint32_t, Spelling::plain>, UniformQuantizer<float, uint16_t, Spelling::plain>,
    UniformQuantizer<float, uint32_t, Spelling::inplace>,
    UniformQuantizer<double, int32_t, Spelling::linear>, UniformQuantizer<double, int64_t, Spelling::linear>,
    UniformQuantizer<double, uint32_t, Spelling::plain>, UniformQuantizer<double, uint64_t, Spelling::plain>,
    UniformQuantizer<double, uint64_t, Spelling::inplace>,
    RelativeQuantizer<float, uint16_t>, RelativeQuantizer<float, uint32_t>,
    RelativeQuantizer<double, uint32_t>, RelativeQuantizer<double, uint64_t>,
    WholeQuantizer<int8_t, int8_t>, WholeQuantizer<int16_t, int16_t>, WholeQuantizer<int32_t, int32_t>,
    WholeQuantizer<int64_t, int64_t>, WholeQuantizer<uint8_t, int8_t>, WholeQuantizer<uint16_t, int16_t>,
    WholeQuantizer<uint32_t, int32_t>, WholeQuantizer<uint64_t, int64_t>,
    WholeQuantizer<int8_t, uint8_t>, WholeQuantizer<int16_t, uint16_t>, WholeQuantizer<int32_t, uint32_t>,
    WholeQuantizer<int64_t, uint64_t>, WholeQuantizer<uint8_t, uint8_t>, WholeQuantizer<uint16_t, uint16_t>,
    WholeQuantizer<uint32_t, uint32_t>, WholeQuantizer<uint64_t, uint64_t>>;

FZM_CODECS_END
