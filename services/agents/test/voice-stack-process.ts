import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually, freePort, testDatabase, testIdentityEnvironment } from '@parley/testing';

/** The built voice-stack service in a separate process with its own database, as in production. */
export interface VoiceStackProcess {
  readonly address: string;
  /** The number of stored publications of an organization. */
  publications(organizationId: string): Promise<number>;
  stop(): Promise<void>;
}

const folder = path.join(__dirname, '../../voice-stack');

/** @param env additional environment variables */
export async function startVoiceStack(env: Readonly<Record<string, string>> = {}): Promise<VoiceStackProcess> {
  const database = await testDatabase({ schemaFile: path.join(folder, 'schema.sql'), schema: 'voice_stack' });
  const [grpcPort, healthPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [path.join(folder, 'dist/main.js')], {
    env: {
      PATH: process.env['PATH'],
      PARLEY_ENV: 'development',
      LOG_LEVEL: 'fatal',
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: String(grpcPort),
      HEALTH_HOST: '127.0.0.1',
      HEALTH_PORT: String(healthPort),
      AUTH_ADDRESS: '127.0.0.1:1',
      DATABASE_URL: database.url,
      ...testIdentityEnvironment('voice-stack'),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await eventually(async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok || undefined);
  return {
    address: `127.0.0.1:${grpcPort}`,
    publications: async (organizationId) => {
      const text = 'select count(*)::integer as count from publications where organization_id = $1';
      const { rows } = await database.db.query<{ count: number }>({ text, values: [organizationId] });
      return rows[0]?.count ?? -1;
    },
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      await database.drop();
    },
  };
}
