import { randomFillSync } from 'node:crypto';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Random bytes for 256 traces, because a read from the system costs as much as all other work for a trace. */
const pool = Buffer.alloc(24 * 256);
let used = pool.length;

/** A W3C `traceparent` that starts a new trace, not sampled yet. */
export function newTraceparent(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.toString('hex', used, used + 24);
  used += 24;
  return `00-${random.slice(0, 32)}-${random.slice(32)}-01`;
}

/** Whether a value is a traceparent of version 00 whose ids are not all zero. */
export function isTraceparent(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const match = TRACEPARENT.exec(value);
  return match !== null && !/^0+$/.test(match[1] ?? '') && !/^0+$/.test(match[2] ?? '');
}
