/** A long-running program of the supervisor: its command, its readiness check and its stop signal. */
export interface Program {
  /** Unique within a supervisor, e.g. 'postgres' or 'auth-1'. */
  name: string;
  command: string;
  args: readonly string[];
  cwd?: string;
  env: NodeJS.ProcessEnv;
  /** The user as whom it runs; only root can set one. */
  user?: { uid: number; gid: number };
  /** A text in its command line that distinguishes it from another process that got its process id later. */
  mark: string;
  /** The signal that requests a graceful stop. */
  stopSignal: NodeJS.Signals;
  /** Milliseconds between the stop signal and SIGKILL. */
  stopMs: number;
  /** Resolves with undefined if the program is ready, otherwise with the reason why it is not. Called every 50 ms. */
  ready: () => Promise<string | undefined>;
  /** Each line of the program's output. */
  onLine?: (line: string) => void;
}

/** An error that the user can fix: only its message is printed, without a stack. */
export class StartError extends Error {}
