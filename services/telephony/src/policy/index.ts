/** Telephony policy: whether something may be dialed or sent, the suppression list, and the organizations' own rules. */
export { decide, type Verdict } from './decide.rules';
export { factsOfPermit, factsOfRequest, factsOfTransfer, readSuppression, type Outbound } from './facts';
export { getPolicy, readCallableCountries, rulesOfCalls, setPolicy, type CallRules } from './policy';
export { changeSuppression, createSuppressions, listSuppressionPage, removeSuppression } from './suppressions';
