import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from './until';

/** New servers without data: the state after a disaster. */
export class FreshServers {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    /** The URL for an administrator. */
    readonly databaseUrl: string,
  ) {}

  static async start(): Promise<FreshServers> {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'parley-fresh-'));
    chmodSync(directory, 0o755);
    const child = spawn(process.execPath, ['scripts/start-servers.mts', '--directory', directory], {
      cwd: path.resolve(__dirname, '..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const line = await until('the servers answer', () => {
      if (child.exitCode !== null) throw new Error(`the servers ended with ${child.exitCode}`);
      return output.split('\n').find((text) => text.startsWith('{') && text.endsWith('}'));
    });
    const { databaseUrl } = JSON.parse(line) as { databaseUrl: string };
    return new FreshServers(child, directory, databaseUrl);
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null) await exited;
    rmSync(this.directory, { recursive: true, force: true });
  }
}
