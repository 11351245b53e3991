/**
 * node scripts/start-servers.mts --directory FOLDER: starts only PostgreSQL, NATS and Redis, without data, for tests that load their own. Prints the addresses
 * as one line of JSON, and stops the servers on SIGTERM.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { stopOnSignal, stopWithParent } from './platform/signals.mts';
import { Supervisor } from './processes/supervisor.mts';
import { startServers } from './servers.mts';

const { values } = parseArgs({ options: { directory: { type: 'string' } } });
if (values.directory === undefined) throw new Error('usage: node scripts/start-servers.mts --directory FOLDER');
stopWithParent();
const supervisor = new Supervisor({ onNotice: (text) => console.error(text) });
const stopped = stopOnSignal({ stop: () => supervisor.stop(), kill: () => supervisor.kill() });
const addresses = await startServers(supervisor, {
  directory: values.directory,
  password: randomBytes(18).toString('base64url'),
  durable: false,
  given: {},
  say: (text) => console.error(text),
});
console.log(JSON.stringify(addresses));
process.exit(await stopped);
