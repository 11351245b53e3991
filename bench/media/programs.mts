import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { stopProcess } from '../process.mts';

/** A program of this folder that runs on given cores, prints {port} and serves GET /figures there. */
export class Program<F> {
  readonly printed: Readonly<Record<string, number>>;
  readonly pid: number;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, printed: Readonly<Record<string, number>>) {
    this.child = child;
    this.pid = child.pid ?? 0;
    this.printed = printed;
  }

  static async start<F>(file: string, cores: readonly number[], settings: object = {}): Promise<Program<F>> {
    // taskset is replaced by the program, so its process id is that of the program.
    const command = [process.execPath, path.join(import.meta.dirname, file), JSON.stringify(settings)];
    const child = spawn('taskset', ['-c', cores.join(','), ...command], { stdio: ['pipe', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
      return new Program<F>(child, JSON.parse(line) as Record<string, number>);
    }
    throw new Error(`${file} ended before it listened`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.printed.port}`;
  }

  async figures(): Promise<F> {
    return (await fetch(`${this.url}/figures`)).json() as Promise<F>;
  }

  async put(route: string, body: object): Promise<void> {
    const answer = await fetch(this.url + route, { method: 'PUT', body: JSON.stringify(body) });
    await answer.text();
  }

  stop(): Promise<void> {
    return stopProcess(this.child);
  }
}
