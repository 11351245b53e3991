/** One long-running program under the supervisor: its command, its readiness check, and its stop signal. */
export interface Program {
  /** Unique within a supervisor, e.g. 'postgres' or 'auth-1'. */
  name: string;
  command: string;
  args: readonly string[];
  cwd?: string;
  env: NodeJS.ProcessEnv;
  /** Run as this user; only root may name one. */
  user?: { uid: number; gid: number };
  /** A text of its command line that distinguishes it from another process that got its process id later. */
  mark: string;
  /** The signal that asks for an orderly end. */
  stopSignal: NodeJS.Signals;
  /** Milliseconds between the stop signal and SIGKILL. */
  stopMs: number;
  /** Resolves with undefined once the program is ready, otherwise with the reason why not. Called every 50 ms. */
  ready: () => Promise<string | undefined>;
  /** Each line of the program's output. */
  onLine?: (line: string) => void;
}

/** An error that the user can fix: printed as one message without a stack. */
export class StartError extends Error {}
