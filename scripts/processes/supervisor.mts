/** Runs programs, restarts those that exit, and stops them in reverse order of their start. Independent of Parley. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGuard, type Guard } from './guard.mts';
import { StartError, type Program } from './program.mts';

const firstBackoffMs = 100;
const longestBackoffMs = 5_000;
const steadyAfterMs = 10_000;
const deathsAtBoot = 3;
const tailLines = 30;

export interface Running {
  program: Program;
  pid: number;
}

export interface SupervisorOptions {
  /** Reports what has happened to a program, for the user. */
  onNotice?: (text: string) => void;
  /** Called if the set of running processes, or one of their ids, has changed. */
  onChange?: (running: readonly Running[]) => void;
  readyTimeoutMs?: number;
  /** The maximum duration of stop(), however long the stop times of the single programs are in total. */
  stopWithinMs?: number;
}

interface Member {
  program: Program;
  child?: ChildProcess;
  exited: Promise<void>;
  wasReady: boolean;
  /** Whether it was stopped in order to be restarted, which is not an error. */
  renewing: boolean;
  deaths: number;
  backoffMs: number;
  startedAt: number;
  relaunch?: NodeJS.Timeout;
  tail: string[];
  failure?: string;
}

export class Supervisor {
  readonly guard: Guard = startGuard();
  private readonly layers: Member[][] = [];
  private readonly options: SupervisorOptions;
  private stopping = false;

  constructor(options: SupervisorOptions = {}) {
    this.options = options;
  }

  /** Starts these programs together, as one layer that is also stopped together. Resolves when all are ready. */
  async start(programs: readonly Program[]): Promise<void> {
    const layer = programs.map(newMember);
    this.layers.push(layer);
    for (const member of layer) this.launch(member);
    await Promise.all(layer.map((member) => this.becomesReady(member)));
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  running(): Running[] {
    const members = this.layers.flat().filter((member) => member.child?.pid !== undefined && !hasEnded(member.child));
    return members.map((member) => ({ program: member.program, pid: member.child?.pid ?? 0 }));
  }

  /** Stops one program gracefully and starts it again. Resolves when it is ready again. */
  async restart(name: string): Promise<void> {
    const member = this.layers.flat().find((candidate) => candidate.program.name === name);
    if (!member || this.stopping) return;
    clearTimeout(member.relaunch);
    member.wasReady = false;
    member.failure = undefined;
    member.deaths = 0;
    if (member.child && !hasEnded(member.child)) {
      member.renewing = true;
      await end(member);
    } else this.launch(member);
    await this.becomesReady(member);
  }

  /** Stops every program, beginning with the last layer. Programs that still run after `stopWithinMs` are killed. Can be called more than once. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const member of this.layers.flat()) clearTimeout(member.relaunch);
    const patience = setTimeout(() => this.kill(), this.options.stopWithinMs ?? 29_000);
    for (const layer of this.layers.toReversed()) await Promise.all(layer.map(end));
    clearTimeout(patience);
    this.guard.quit();
  }

  /** Kills all programs immediately. */
  kill(): void {
    for (const { pid } of this.running()) killGroup(pid);
  }

  private launch(member: Member): void {
    if (this.stopping) return;
    const { command, args, cwd, env, user } = member.program;
    member.startedAt = Date.now();
    member.renewing = false;
    // In a separate process group, so that a signal to the group of the terminal or of npm reaches only the supervisor, which stops everything in order.
    const child = spawn(command, args, { cwd, env, ...user, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    member.child = child;
    if (child.pid !== undefined) this.guard.add(child.pid, member.program.stopSignal);
    for (const output of [child.stdout, child.stderr]) this.follow(member, output);
    member.exited = new Promise((resolve) => {
      child.once('error', (error) => {
        member.failure = error.message;
        resolve();
      });
      child.once('exit', (code, signal) => {
        if (child.pid !== undefined) this.guard.drop(child.pid);
        resolve();
        this.died(member, signal ?? `exit code ${code}`);
      });
    });
    this.options.onChange?.(this.running());
  }

  private follow(member: Member, output: Readable): void {
    createInterface({ input: output, crlfDelay: Infinity }).on('line', (line) => {
      member.tail.push(line);
      if (member.tail.length > tailLines) member.tail.shift();
      member.program.onLine?.(line);
    });
  }

  private died(member: Member, how: string): void {
    this.options.onChange?.(this.running());
    if (this.stopping) return;
    if (member.renewing) {
      this.launch(member);
      return;
    }
    member.deaths += 1;
    if (!member.wasReady && member.deaths >= deathsAtBoot) {
      member.failure = `ended ${member.deaths} times before it was ready (${how})`;
      return;
    }
    const steady = Date.now() - member.startedAt > steadyAfterMs;
    member.backoffMs = steady ? firstBackoffMs : Math.min(member.backoffMs * 2 || firstBackoffMs, longestBackoffMs);
    this.options.onNotice?.(`${member.program.name} ended (${how}); it starts again in ${member.backoffMs} ms`);
    member.relaunch = setTimeout(() => this.launch(member), member.backoffMs);
  }

  private async becomesReady(member: Member): Promise<void> {
    const { name, ready } = member.program;
    const deadline = Date.now() + (this.options.readyTimeoutMs ?? 90_000);
    for (;;) {
      if (this.stopping) throw new StartError(`stopped while ${name} was starting`);
      if (member.failure) throw new StartError(withTail(member, `${name} ${member.failure}`));
      const reason = await ready();
      if (reason === undefined) break;
      if (Date.now() > deadline) throw new StartError(withTail(member, `${name} was not ready in time: ${reason}`));
      await sleep(50);
    }
    member.wasReady = true;
  }
}

function newMember(program: Program): Member {
  return {
    program,
    exited: Promise.resolve(),
    wasReady: false,
    renewing: false,
    deaths: 0,
    backoffMs: 0,
    startedAt: 0,
    tail: [],
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function end(member: Member): Promise<void> {
  const { child, program } = member;
  if (!child || child.pid === undefined || hasEnded(child)) return;
  const timer = setTimeout(() => killGroup(child.pid ?? 0), program.stopMs);
  child.kill(program.stopSignal);
  await member.exited;
  clearTimeout(timer);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

function withTail(member: Member, text: string): string {
  return [`${text}. Its last lines:`, ...member.tail.map((line) => `  ${line}`)].join('\n');
}
