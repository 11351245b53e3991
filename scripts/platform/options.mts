/** The options of `npm start` and `npm run dev`. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../processes/program.mts';

export const root = path.resolve(import.meta.dirname, '../..');

export interface StartOptions {
  /** The folder of this platform's data, keys and logs. */
  home: string;
  /** Processes of each service, 1 to 9. */
  replicas: number;
  /** The port of the first gateway; 0 selects a free one. */
  port: number;
  /** Whether to delete the data of the home first. */
  fresh: boolean;
  /** Whether to place a simulated call: 'once' for the data of the home, or 'never'. */
  firstCall: 'once' | 'never';
  /** Whether to start the console. */
  console: boolean;
  /** How long a worker keeps a job without sending a heartbeat. */
  leaseSeconds: number;
}

const usage = `usage: npm start [-- options]
  --port P             the gateway's port, 0 for any that is free (default PORT, else 8080)
  --home DIR           where data, keys and logs are kept (default .parley)
  --replicas N         processes of each service (default 1)
  --fresh              forget the data of an earlier start
  --no-first-call      place no simulated call on the first start
  --no-console         start no console
  --lease-seconds N    how long a worker keeps a job without a heartbeat (default 15)`;

/** @throws StartError with the usage if an option is unknown or out of range */
export function parseStartOptions(args: readonly string[], env: NodeJS.ProcessEnv = process.env): StartOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        home: { type: 'string' },
        replicas: { type: 'string' },
        port: { type: 'string' },
        fresh: { type: 'boolean' },
        'no-first-call': { type: 'boolean' },
        'no-console': { type: 'boolean' },
        'lease-seconds': { type: 'string' },
      },
    });
    return {
      home: path.resolve(root, values.home ?? '.parley'),
      replicas: integer('--replicas', values.replicas ?? '1', 1, 9),
      port: integer(values.port ? '--port' : 'PORT', values.port ?? (env.PORT || '8080'), 0, 65_535),
      fresh: values.fresh ?? false,
      firstCall: values['no-first-call'] ? 'never' : 'once',
      console: !values['no-console'],
      leaseSeconds: integer('--lease-seconds', values['lease-seconds'] ?? '15', 1, 600),
    };
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

function integer(name: string, text: string, lowest: number, highest: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < lowest || value > highest) {
    throw new Error(`${name} must be an integer from ${lowest} to ${highest}, not ${text}`);
  }
  return value;
}
