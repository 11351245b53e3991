export { pruneCommands } from './commands.cross-tenant.sql';
export { liveControlHandlers } from './handlers';
export { NatsSignals, type Signals } from './signals';
