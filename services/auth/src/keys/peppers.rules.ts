import { createHmac } from 'node:crypto';

/** The stored hash of a token. Recovering a token would require both the database and the pepper. */
export interface TokenHash {
  readonly hash: Buffer;
  readonly pepperVersion: number;
}

/** The secret keys with which tokens are hashed. New tokens are hashed with the last one; tokens hashed with the others are still recognized. */
export interface Peppers {
  readonly current: (token: string) => TokenHash;
  /** The current one first. */
  readonly all: (token: string) => TokenHash[];
}

const pepperBytes = 32;
const entryPattern = /^([1-9][0-9]{0,8}):([A-Za-z0-9+/]+={0,2})$/;

/**
 * Parses the TOKEN_PEPPERS setting: `1:<base64 of 32 bytes>[,2:...]`. The last pepper hashes new tokens. A rotation therefore adds the new pepper at the front,
 * until every process recognizes tokens hashed with it, and then moves it to the end.
 * @throws Error that lists every problem; it never contains a pepper
 */
export function parsePeppers(text: string): Peppers {
  const peppers = new Map<number, Buffer>();
  const problems: string[] = [];
  text.split(',').forEach((entry, index) => {
    const match = entryPattern.exec(entry.trim());
    const version = Number(match?.[1]);
    const pepper = Buffer.from(match?.[2] ?? '', 'base64');
    if (match === null) problems.push(`pepper ${index + 1}: must be <version from 1>:<base64>`);
    else if (pepper.length !== pepperBytes)
      problems.push(`pepper ${index + 1}: must be ${pepperBytes} bytes in base64`);
    else if (peppers.has(version)) problems.push(`pepper ${index + 1}: duplicate version ${version}`);
    else peppers.set(version, pepper);
  });
  if (problems.length > 0) throw new Error(problems.join('; '));
  const versions = [...peppers.keys()].reverse();
  const hashUnder = (version: number, token: string): TokenHash => ({
    hash: createHmac('sha256', peppers.get(version) ?? '')
      .update(token, 'ascii')
      .digest(),
    pepperVersion: version,
  });
  return {
    current: (token) => hashUnder(versions[0] ?? 0, token),
    all: (token) => versions.map((version) => hashUnder(version, token)),
  };
}
