import { createHash } from 'node:crypto';
import { Planting, secretFields } from './planted';
import { shownOnce } from './shown-once';
import { tracesOf } from './traces';
import type { World } from './world';

/** Runs last, because it also searches for the secrets that the other families have sent and that were refused. */
export function secretAttacks(world: () => World): void {
  let planting: Planting;

  beforeAll(async () => {
    planting = new Planting(world());
    await planting.credentials();
    await planting.tools();
    await planting.made();
    await planting.phonePins();
    await planting.chat();
    const call = await world().customer.call('+15005550006');
    await world().customer.finished(call.call_id);
    await world().customer.receiver.eventOf(call.call_id, 'call.completed');
  });
  afterAll(() => planting?.stop());

  it('every field of a request that takes a secret has one planted', () => {
    expect([...planting.fields].sort()).toEqual([...secretFields].sort());
    expect(secretFields.length).toBeGreaterThan(15);
  });

  it('every write that may return a secret at its creation or rotation has returned one', () => {
    const expected = Object.entries(shownOnce).flatMap(([route, fields]) => fields.map((field) => `${route} ${field}`));
    expect([...world().writes.shown].sort()).toEqual(expected.sort());
  });

  it('no planted secret is in a log, span, metric, event, error, read, response of another write, MCP result, database row, stream or in Redis', async () => {
    const found: [string, string][] = [];
    for (const [place, text] of Object.entries(await tracesOf(world()))) {
      expect([place, text.length > 0]).toEqual([place, true]);
      for (const [what, secret] of world().canaries) {
        if (formsOf(secret).some((form) => text.includes(form))) found.push([place, what]);
      }
      for (const pin of planting.pins) if (holdsPin(text, pin)) found.push([place, 'a PIN']);
    }
    expect(found).toEqual([]);
  });

  it('the search finds a secret in each form, so that a place without one has none', () => {
    const secret = 'canary-of-the-search';
    const [bytes, shifted] = [Buffer.from(secret), Buffer.from(`{"a":"${secret}"}`)];
    for (const text of [secret, bytes.toString('hex'), bytes.toString('base64'), shifted.toString('base64url')]) {
      expect([text, formsOf(secret).some((form) => text.includes(form))]).toEqual([text, true]);
    }
    for (const text of ['{"pin":"123456"}', '{"pin":123456}', 'pin=123456&a=b', 'the pin 123456', sha256('123456')]) {
      expect([text, holdsPin(text, '123456')]).toEqual([text, true]);
    }
    expect(holdsPin('2026-01-01T00:00:00.123456Z', '123456')).toBe(false);
  });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A secret as it could be written: in clear, in hexadecimal, and in Base64 at each offset within a longer text. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // The characters at both ends depend on the bytes around the secret.
  const shifted = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
      .slice(offset === 0 ? 0 : offset + 1, -2),
  );
  const urls = shifted.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [secret, bytes.toString('hex'), ...shifted, ...urls];
}

/** Six digits can be part of a time or an id by chance: a PIN counts as a whole string, behind its name, or as a digest without a key. */
const holdsPin = (text: string, pin: string): boolean =>
  text.includes(`"${pin}"`) || new RegExp(`pin\\W{1,4}${pin}`, 'i').test(text) || text.includes(sha256(pin));
