/** Telephony policy: which calls and messages may be placed now. */
export { calleeZones, checkOutbound, type Outbound } from './callee-zones';
export { callableCountries, quietUntil } from './organization-policy.rules';
export { checkTransfer } from './outbound-policy.rules';
export { readAtDialling, readPolicy } from './policies.sql';
export { type CallRules, getPolicy, rulesOfCalls, setPolicy } from './policy';
export { addSuppressions, isSuppressed, removeSuppressionRow } from './suppressions.sql';
export { createSuppressions, listSuppressionPage, removeSuppression } from './suppressions';
