import { internal } from '@parley/errors';
import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { KeyUse } from './key-use';

const log = createLogger({ service: 'test', level: 'silent' });

/** Auth that records what is reported to it, or is away. */
function world(everyMs: number) {
  const reported: (readonly string[])[] = [];
  const state = { away: false };
  const noteKeysUsed = async ({ keyIds, addresses }: { keyIds: readonly string[]; addresses: readonly string[] }) => {
    if (state.away) throw internal(new Error('away'), 503);
    reported.push(keyIds.map((keyId, index) => `${keyId} ${addresses[index]}`));
    return {};
  };
  return { reported, state, keyUse: new KeyUse({ auth: { noteKeysUsed }, log, everyMs }) };
}

it('a thousand uses are one message, and none where nothing was used', async () => {
  const { reported, keyUse } = world(3_600_000);
  await keyUse.start();
  for (let use = 0; use < 1_000; use += 1) keyUse.note(use % 2 === 0 ? 'key_1' : 'key_2', `192.0.2.${use % 200}`);
  await keyUse.stop();
  expect(reported).toEqual([['key_1 192.0.2.198', 'key_2 192.0.2.199']]);
  await keyUse.stop();
  expect(reported).toHaveLength(1);
});

it('what could not be reported to auth is reported later, and none of it keeps the process from leaving', async () => {
  const { reported, state, keyUse } = world(1);
  state.away = true;
  keyUse.note('key_1', '192.0.2.1');
  await keyUse.start();
  await keyUse.stop();
  expect(reported).toEqual([]);
  state.away = false;
  await keyUse.start();
  await eventually(async () => (reported.length > 0 ? true : undefined));
  await keyUse.stop();
  expect(reported).toEqual([['key_1 192.0.2.1']]);
});
