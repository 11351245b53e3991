import { ParleyError } from '@parley/sdk';

/** Exit codes of the command line. */
export const exitCodes = { usage: 1, api: 2, blockers: 3, conflict: 4, key: 5, assertions: 6, changes: 10 } as const;

/** A failure that the command line itself has detected. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Failure) return error.exitCode;
  if (!(error instanceof ParleyError)) return exitCodes.usage;
  if (error.status === 401 || error.status === 403) return exitCodes.key;
  if (error.status === 409) return exitCodes.conflict;
  if (blockersOf(error.body).length > 0) return exitCodes.blockers;
  return exitCodes.api;
}

export function blockersOf(body: unknown): readonly { code: string; scope: string; detail: string }[] {
  const found = typeof body === 'object' && body !== null && 'blockers' in body ? body.blockers : undefined;
  return Array.isArray(found) ? (found as { code: string; scope: string; detail: string }[]) : [];
}

export function linesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (!(error instanceof ParleyError)) return [error.message];
  const at = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
  const blockers = blockersOf(error.body).map(({ code, scope, detail }) => `  ${scope}: ${code}: ${detail}`);
  return [`${error.code}: ${error.message}${at}`, ...blockers];
}
