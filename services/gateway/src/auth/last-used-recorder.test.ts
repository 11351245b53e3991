import { internal } from '@parley/errors';
import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { LastUsedRecorder } from './last-used-recorder';

const log = createLogger({ service: 'test', level: 'silent' });

/** A fake auth that records reports, or is unavailable. */
function world(everyMs: number) {
  const reported: (readonly string[])[] = [];
  const state = { away: false };
  const recordKeyUsage = async ({ keyIds, addresses }: { keyIds: readonly string[]; addresses: readonly string[] }) => {
    if (state.away) throw internal(new Error('away'), 503);
    reported.push(keyIds.map((keyId, index) => `${keyId} ${addresses[index]}`));
    return {};
  };
  return { reported, state, lastUsed: new LastUsedRecorder({ auth: { recordKeyUsage }, log, everyMs }) };
}

it('reports a thousand uses of two keys to auth in one message, and sends none without uses', async () => {
  const { reported, lastUsed } = world(3_600_000);
  await lastUsed.start();
  for (let use = 0; use < 1_000; use += 1) lastUsed.note(use % 2 === 0 ? 'key_1' : 'key_2', `192.0.2.${use % 200}`);
  await lastUsed.stop();
  expect(reported).toEqual([['key_1 192.0.2.198', 'key_2 192.0.2.199']]);
  await lastUsed.stop();
  expect(reported).toHaveLength(1);
});

it('reports uses later if auth is unavailable, and stops even with unreported uses', async () => {
  const { reported, state, lastUsed } = world(1);
  state.away = true;
  lastUsed.note('key_1', '192.0.2.1');
  await lastUsed.start();
  await lastUsed.stop();
  expect(reported).toEqual([]);
  state.away = false;
  await lastUsed.start();
  await eventually(async () => (reported.length > 0 ? true : undefined));
  await lastUsed.stop();
  expect(reported).toEqual([['key_1 192.0.2.1']]);
});
