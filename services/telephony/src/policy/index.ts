/** Outbound policy and suppressions. */
export { calleeZones, type Outbound, checkOutbound } from './callee-zones';
export { callableCountries, quietUntil } from './organization-policy.rules';
export { checkTransfer } from './outbound-policy.rules';
export { readAtDialling, readPolicy } from './policies.sql';
export { getPolicy, rulesOfCalls, setPolicy, type CallRules } from './policy';
export { createSuppressions, listSuppressionPage, removeSuppression } from './suppressions';
export { addSuppressions, isSuppressed, removeSuppressionRow } from './suppressions.sql';
