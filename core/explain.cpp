// The façade's questions about plans.
#include "core/fzm.h"
#include "core/plan/plan.h"

namespace fzm {
namespace {

Result<std::shared_ptr<const Plan>> plan_of(const Request& request, const ArrayInfo& array) {
  const Result<Spec> spec = request.spec_for(array);
  if (!spec.ok()) return spec.status();
  return make_plan(*spec, array);
}

}  // namespace

Result<std::string> explain(const Request& request, const ArrayInfo& array) {
  const auto plan = plan_of(request, array);
  if (!plan.ok()) return plan.status();
  return explain(**plan);
}

Result<std::string> explain_json(const Request& request, const ArrayInfo& array) {
  const auto plan = plan_of(request, array);
  if (!plan.ok()) return plan.status();
  return explain_json(**plan);
}

Result<uint64_t> peak_memory(const Request& request, const ArrayInfo& array) {
  const auto plan = plan_of(request, array);
  if (!plan.ok()) return plan.status();
  return encode_working_bytes(**plan) + (array.big_endian ? (*plan)->raw_bytes : 0);
}

}  // namespace fzm
