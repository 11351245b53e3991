/** Workers: their declared capabilities, what a call needs of them, and the tool calls that they record. */
export { createHeaderSealer } from './header-sealer';
export { sealedValues } from './sealed-tunings';
export { judgeConfiguration } from './judge-configuration';
export { listWorkerPage } from './list-workers';
export { providerAccounts } from './provider-accounts';
export { WorkersAway, needsOfAgent, findPublication, refuseBlockers, requireWorkers, whyNotRunnable } from './runnable';
export { RuntimeConfigurations } from './runtime-configuration';
export { createToolCallPruner, beginToolCall, endToolCall } from './tool-calls';
export { WorkerCapabilities, digestOf } from './worker-capabilities';
export { listDeclarations } from './worker-capabilities.sql';
export { leaseCallCredentials, openWorkerCredentials } from './worker-credentials';
