import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { accountCarriers, carrierNames, carriers, formsOf } from '.';

const root = path.resolve(__dirname, '../../../..');
const files = [
  '{libs,services}/*/src/**/*.ts',
  'proto/parley/**/*.proto',
  'scripts/**/*.mts',
  'charts/parley/templates/**/*',
  'charts/parley/values*',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((file) => /\.(ts|mts|proto|tpl|yaml|json|txt)$/.test(file) && !/\.test\.m?ts$/.test(file));

/** The places where the name of a carrier may occur: its declaration, its folders, and the lists of all carriers. */
const ownPlaces = (name: string): RegExp =>
  new RegExp(
    [
      `^(libs/contract/src/carriers/(${name}|index)\\.ts`,
      `services/\\w+/src/(network/)?carriers/(${name}/.*|(index|registry)\\.ts)`,
      // The protocol of its media streams.
      `services/engine/src/lines/(${name}(-\\w+)?|streams)\\.ts)$`,
    ].join('|'),
  );

/** Other files that may contain it, each with the reason. In paths and enums of the public interface the names come from the list of carriers. */
const exceptions: Readonly<Record<string, string>> = {
  'libs/contract/src/carriers/simulator.ts': 'the simulator signs as a real carrier does, so that both take one path',
  'services/telephony/src/network/carriers/simulator/adapter.ts':
    'the same: it reads and answers forms by the protocol of that carrier',
};

describe('names of carriers in the code', () => {
  it.each(accountCarriers.map(String))('%s occurs only in its declaration, its folders and the lists', (name) => {
    const named = files.filter((file) => new RegExp(name, 'i').test(readFileSync(path.join(root, file), 'utf8')));
    // Ensures that the search finds anything at all.
    expect(named).toEqual(expect.arrayContaining([`libs/contract/src/carriers/${name}.ts`]));
    expect(named.filter((file) => !ownPlaces(name).test(file) && !(file in exceptions))).toEqual([]);
  });

  it.each(Object.keys(exceptions))('the exception %s is still needed', (file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    expect(accountCarriers.some((name) => new RegExp(name, 'i').test(text))).toBe(true);
  });

  it.each(carrierNames.map(String))('%s has an adapter in telephony', (name) => {
    expect(existsSync(path.join(root, 'services/telephony/src/network/carriers', name, 'adapter.ts'))).toBe(true);
  });

  it('each webhook is sent by at least one carrier', () => {
    const sent = (
      ['receiveCarrierCall', 'receiveCarrierCallStatus', 'receiveCarrierMessage', 'receiveCarrierReport'] as const
    ).map((name) => [name, formsOf(name).size] as const);
    expect(sent.filter(([, senders]) => senders === 0)).toEqual([]);
  });

  it('carriers share a security scheme only if their signature header is equal', () => {
    const schemes = new Map<string, string>();
    for (const { signature } of carrierNames.map((name) => carriers[name])) {
      const { scheme, header } = signature;
      expect(schemes.get(scheme) ?? header).toBe(header);
      schemes.set(scheme, header);
    }
  });
});
