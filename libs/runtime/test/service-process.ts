import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { testIdentityEnvironment } from '@parley/testing';

export type LogLine = Record<string, unknown> & { msg?: string };

/** The greeter fixture in a separate process, as in production. */
export class ServiceProcess {
  readonly child: ChildProcess;
  readonly lines: LogLine[] = [];
  stdout = '';
  stderr = '';
  private readonly ended: Promise<unknown>;

  constructor(env: NodeJS.ProcessEnv = {}, args: string[] = []) {
    const fixture = path.join(__dirname, 'fixtures', 'greeter.mts');
    const { DATABASE_URL: _d, NATS_URL: _n, NODE_OPTIONS: _o, ...inherited } = process.env;
    this.child = spawn(process.execPath, ['--no-warnings', fixture, ...args], {
      env: {
        ...inherited,
        GRPC_PORT: '0',
        HEALTH_PORT: '0',
        PORT: '0',
        ...testIdentityEnvironment('runtime-test'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let rest = '';
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('{"level"')) this.lines.push(JSON.parse(line) as LogLine);
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(this.child, 'close');
  }

  line(msg: string): LogLine | undefined {
    return this.lines.find((line) => line.msg === msg);
  }

  /** Resolves to the exit code, or the signal that ended the process. */
  async exit(): Promise<number | string | null> {
    await this.ended;
    return this.child.exitCode ?? this.child.signalCode;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}
