import { engineComponents } from '@parley/contract';
import { streamingAdapters } from './streaming';

const parts = { stt: 'transcriber', llm: 'model', tts: 'synthesizer' } as const;

it('has an adapter for every component that is declared for calls, and for no other', () => {
  const kinds = Object.keys(parts) as (keyof typeof parts)[];
  const having = (has: (kind: keyof typeof parts) => boolean) => kinds.filter(has);
  const ofAdapters = streamingAdapters.map((adapter) => [
    adapter.name,
    having((kind) => adapter[parts[kind]] !== undefined),
  ]);
  const declared = Object.entries(engineComponents).map(([name, components]) => [
    name,
    having((kind) => components[kind] !== undefined),
  ]);
  // The two lists may have different orders.
  expect(Object.fromEntries(ofAdapters)).toEqual(Object.fromEntries(declared));
});
