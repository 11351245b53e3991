/** Control of calls in progress: commands for their workers, and signals between the replicas of this service. */
export { giveWatch } from './commands.sql';
export { createCommandPruner, commandsFor, recordOutcome } from './take-commands';
export { ask, giveCommand, requireControl, sendCommand, wakeWorkerOf } from './send-command';
export { armed, NatsSignals } from './signals';
