import { badRequest } from '@parley/errors';
import { createHash } from 'node:crypto';

/** What a reader has seen of a call. */
export interface Seen {
  readonly status: string;
  /** The position of the first turn that may still change. */
  readonly from: number;
  /** Digests of the turns from there on. */
  readonly digests: readonly string[];
}

export const nothingSeen: Seen = { status: '', from: 0, digests: [] };

/** The last turns, which may still change: the current one, and those before it that an interruption may truncate. */
const unsettled = 8;

export const digestOf = (turn: string): string => createHash('sha256').update(turn).digest('base64url').slice(0, 11);

/** @param turns the turns from position `seen.from` on */
export function seenAfter({ from }: Seen, status: string, turns: readonly string[]): Seen {
  const settled = Math.max(0, turns.length - unsettled);
  return { status, from: from + settled, digests: turns.slice(settled).map(digestOf) };
}

/** The turns that are new or have changed. @param turns the turns from position `seen.from` on */
export const changed = ({ digests }: Seen, turns: readonly string[]): string[] =>
  turns.filter((turn, n) => digests[n] !== digestOf(turn));

export const cursorOf = ({ status, from, digests }: Seen): string =>
  Buffer.from([status, String(from), ...digests].join(' ')).toString('base64url');

/** @throws BadRequestError for an invalid cursor */
export function readCursor(cursor: string): Seen {
  if (cursor === '') return nothingSeen;
  const [status = '', from = '', ...digests] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!/^[a-z_]{1,32}$/.test(status) || !/^\d{1,6}$/.test(from) || digests.length > unsettled)
    throw badRequest('after is not a cursor of this list');
  return { status, from: Number(from), digests };
}
