/**
 * npm run providers:try [-- --rounds 5]: prints a table of response times, measured from this machine, of the providers for which the environment contains
 * keys. It sends requests to real services, which charge for them. Variables: PROVIDER_<NAME>_API_KEY, PROVIDER_<NAME>_URL, and if there is no default,
 * PROVIDER_<NAME>_LLM, _STT, _TTS (models) and _VOICE (voice id). NAME is that of an adapter, such as OPENAI_COMPATIBLE; without an account all are printed.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ProviderAccount, StreamingAdapter } from '../libs/providers/dist/index.js';

const root = path.join(import.meta.dirname, '..');
const load = createRequire(path.join(root, 'services/engine/package.json'));
const { streamingAdapters } = load(path.join(root, 'services/engine/dist/providers/streaming.js')) as {
  streamingAdapters: readonly StreamingAdapter[];
};

type Speech = typeof import('../libs/speech/dist/index.js');

const defaults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openai: { LLM: 'gpt-4.1-mini', STT: 'gpt-4o-mini-transcribe', TTS: 'gpt-4o-mini-tts', VOICE: 'alloy' },
  anthropic: { LLM: 'claude-haiku-4-5' },
  deepgram: { STT: 'nova-3' },
  cartesia: { TTS: 'sonic-3' },
  elevenlabs: { TTS: 'eleven_flash_v2_5' },
};

const spoken = 'Good day, this is the front desk. How may I help you today?';
const longestMs = 30_000;

interface Row {
  readonly provider: string;
  readonly component: string;
  readonly model: string;
  readonly first: number[];
  readonly total: number[];
  failed: string;
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) stop('--rounds must be from 1 to 100');

const variable = (provider: string, name: string): string =>
  process.env[`PROVIDER_${provider.toUpperCase()}_${name}`] ?? defaults[provider]?.[name] ?? '';

const ready = streamingAdapters.filter(
  ({ name, requiresKey, requiresBaseUrl }) =>
    name !== 'simulator' &&
    (!requiresKey || variable(name, 'API_KEY') !== '') &&
    (requiresBaseUrl !== true || variable(name, 'URL') !== ''),
);
if (ready.length === 0)
  stop(
    `no account: set PROVIDER_<NAME>_API_KEY (or PROVIDER_OPENAI_COMPATIBLE_URL) for one of ${streamingAdapters
      .filter(({ name }) => name !== 'simulator')
      .map(({ name }) => name)
      .join(', ')}`,
  );

const rows: Row[] = [];
for (const adapter of ready) await tryAdapter(adapter);
print(rows);

async function tryAdapter(adapter: StreamingAdapter): Promise<void> {
  const { name } = adapter;
  const account: ProviderAccount = {
    apiKey: variable(name, 'API_KEY') || undefined,
    ...(variable(name, 'URL') !== '' && { baseUrl: variable(name, 'URL') }),
  };
  const model = adapter.model?.(account);
  if (model !== undefined)
    await measure(name, 'model', variable(name, 'LLM'), async (wanted, heard) => {
      const messages = [{ role: 'user' as const, text: 'Say in one sentence what an hour is.' }];
      const request = { model: wanted, messages, tools: [], options: { max_tokens: 100 } };
      for await (const { type } of model.generate(request, AbortSignal.timeout(longestMs)))
        if (type === 'delta') heard();
    });
  const synthesizer = adapter.synthesizer?.(account);
  const voiceId = variable(name, 'VOICE');
  if (synthesizer !== undefined)
    await measure(name, 'voice', variable(name, 'TTS'), async (wanted, heard) => {
      if (voiceId === '') throw new Error(`PROVIDER_${name.toUpperCase()}_VOICE is not set`);
      const options = {
        model: wanted,
        voiceId,
        language: 'en',
        sampleRate: 16_000 as const,
        delivery: {},
        options: {},
      };
      const stream = synthesizer.open(options, AbortSignal.timeout(longestMs));
      stream.write(spoken);
      stream.end();
      for await (const { type } of stream.events) if (type === 'audio') heard();
    });
  const wanted = variable(name, 'STT');
  const transcriber = adapter.transcriber?.(account, wanted || undefined);
  if (transcriber === undefined) return;
  const samples = await speech();
  await measure(name, 'transcriber', wanted, async (model, heard, begin) => {
    let finished: () => void = () => {};
    let refuse: (error: Error) => void = () => {};
    const final = new Promise<void>((resolve, reject) => ([finished, refuse] = [resolve, reject]));
    const options = { model, language: 'en', alternatives: [], sampleRate: 16_000 as const, phrases: [], options: {} };
    const stream = transcriber.open(
      options,
      (event) => {
        if (event.type === 'failed') refuse(event.error);
        if (event.type !== 'final' || event.text === '') return;
        heard();
        finished();
      },
      AbortSignal.timeout(longestMs),
    );
    // Sent in real time, because recognizers are not designed for faster input.
    for (let from = 0; from < samples.length; from += 320) {
      stream.write(samples.slice(from, from + 320));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    begin();
    stream.finalize();
    await final.finally(() => stream.close());
  });
}

async function measure(
  provider: string,
  component: string,
  model: string,
  ask: (model: string | undefined, heard: () => void, begin: () => void) => Promise<void>,
): Promise<void> {
  const row: Row = { provider, component, model: model || 'default', first: [], total: [], failed: '' };
  rows.push(row);
  for (let round = 0; round < rounds; round += 1) {
    let start = performance.now();
    let first: number | undefined;
    try {
      await ask(
        model || undefined,
        () => (first ??= performance.now() - start),
        () => (start = performance.now()),
      );
      if (first !== undefined) row.first.push(first);
      row.total.push(performance.now() - start);
    } catch (error) {
      // Errors of adapters contain no key; the messages of other errors might, so only a general text is shown.
      row.failed = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
      if (error instanceof Error && error.message.startsWith('PROVIDER_')) row.failed = error.message;
    }
  }
}

async function speech(): Promise<Int16Array> {
  const { FliteVoice, readWave } = load('@parley/speech') as Speech;
  const voice = new FliteVoice({ threads: 1, waiting: 1, timeoutMs: longestMs });
  const wave = await voice.synthesize({ owner: 'try', text: spoken, voiceId: 'sim-anna', delivery: undefined });
  await voice.stop();
  return readWave(wave).samples;
}

function print(measured: readonly Row[]): void {
  console.log(`| provider | component | model | first, p50 | first, worst | whole, p50 | answers | last error |`);
  console.log('|---|---|---|---|---|---|---|---|');
  for (const { provider, component, model, first, total, failed } of measured) {
    const cells = [
      provider,
      component,
      model,
      median(first),
      worst(first),
      median(total),
      `${total.length} of ${rounds}`,
    ];
    console.log(`| ${[...cells, failed].join(' | ')} |`);
  }
}

function median(values: readonly number[]): string {
  const middle = [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
  return middle === undefined ? '-' : `${Math.round(middle)} ms`;
}

function worst(values: readonly number[]): string {
  return values.length === 0 ? '-' : `${Math.round(Math.max(...values))} ms`;
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
