/**
 * npm run replay -- <file, folder or call id> [--sound [recording]]: runs the rules of this checkout with the logged inputs of a call, and prints the first
 * input at which the decisions differ from those in the call. Exits with 1 if they differ. A file contains the lines of a log, plain or compressed with gzip.
 * For a folder every log is replayed, and differences are shown in groups, the largest first. A call is read from PARLEY_URL with PARLEY_API_KEY (scope
 * recordings:read); without these variables, from the platform of `npm start`. With --sound the agent's speech is synthesized again with the offline voice and
 * searched for in the recording of the call, a WAVE file as the platform returns it for `?format=wav`. This works only for calls that used the offline voice.
 * Exits with 1 if less than nine tenths of an utterance are found.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import '../bench/sources.mts';

interface Replay {
  readonly callId: string;
  readonly inputs: number;
  readonly effects: number;
  readonly whole: boolean;
  readonly difference:
    | {
        readonly nth: number;
        readonly at: number;
        readonly input: string;
        readonly missing: readonly string[];
        readonly added: readonly string[];
      }
    | undefined;
}

interface SpokenAgain {
  readonly at: number;
  readonly text: string;
  readonly found: number | undefined;
}

/** The minimum share of an utterance that must be found. Interruptions and underruns remove some of it. */
const leastFound = 0.9;

const root = path.join(import.meta.dirname, '..');
const load = createRequire(path.join(root, 'services/engine/package.json'));
const { replay } = load(path.join(root, 'services/engine/test/replay/replay.ts')) as { replay(log: string): Replay };

const [source, option, soundFile] = process.argv.slice(2);
if (source === undefined || (option ?? '--sound') !== '--sound')
  stop('usage: npm run replay -- <file, folder or call id> [--sound [recording]]');
if (existsSync(source) && statSync(source).isDirectory()) {
  replayAll(source);
  process.exit();
}
const log = text(await bytesOf(source));
const { callId, inputs, effects, whole, difference } = replay(log);
console.log(`${callId}: ${inputs} inputs, ${effects} effects${whole ? '' : ', not to its end'}`);
if (difference === undefined) console.log('the rules of this checkout decide as they did in the call');
else {
  const { nth, at, input, missing, added } = difference;
  console.log(`input ${nth} (${input}, ${Math.round(at)} ms) has other effects`);
  for (const effect of missing) console.log(`- ${effect}`);
  for (const effect of added) console.log(`+ ${effect}`);
  process.exitCode = 1;
}

if (option !== undefined) await compareSound();

/** Replays all logs of a folder. Calls with the same first difference are grouped, because they are probably caused by the same change of the rules. */
function replayAll(folder: string): void {
  const names = readdirSync(folder).sort();
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const { whole, difference } = replay(text(readFileSync(path.join(folder, name))));
    if (difference === undefined && whole) continue;
    const effects =
      difference === undefined
        ? ['not to its end']
        : [
            ...difference.missing.map((one) => `- ${kindOf(one)}`),
            ...difference.added.map((one) => `+ ${kindOf(one)}`),
          ];
    const group = [difference?.input ?? 'the log', ...effects].join('\n  ');
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  const differing = [...groups.values()].reduce((sum, { length }) => sum + length, 0);
  console.log(`${differing} of ${names.length} calls differ`);
  for (const [group, members] of [...groups].sort(([, one], [, other]) => other.length - one.length))
    console.log(`${members.length} calls, such as ${members.slice(0, 3).join(', ')}, at ${group}`);
  if (differing > 0) process.exitCode = 1;
}

/** The type of an effect, without its times and numbers, which differ from call to call. */
function kindOf(shape: string): string {
  return String((JSON.parse(shape) as { type?: unknown }).type);
}

async function compareSound(): Promise<void> {
  const wave = soundFile === undefined ? await recordingOf(callId) : readFileSync(soundFile);
  const { muLawWaveHeaderBytes, decodeMuLaw } = load('@parley/speech') as {
    readonly muLawWaveHeaderBytes: number;
    decodeMuLaw(bytes: Buffer): Int16Array;
  };
  const agent = decodeMuLaw(wave.subarray(muLawWaveHeaderBytes).filter((_, n) => n % 2 === 1) as Buffer);
  const { speakAgain } = load(path.join(root, 'services/engine/test/replay/spoken-again.ts')) as {
    speakAgain(log: string, recorded: Int16Array): Promise<readonly SpokenAgain[]>;
  };
  for (const { at, text: words, found } of await speakAgain(log, agent)) {
    const share = found === undefined ? 'not compared' : `${Math.round(100 * found)} % found`;
    console.log(`${(at / 1000).toFixed(1)} s: ${share}: ${words}`);
    if ((found ?? 1) < leastFound) process.exitCode = 1;
  }
}

async function recordingOf(call: string): Promise<Buffer> {
  const { url, key } = access();
  const response = await fetch(`${url}/v1/calls/${call}/recording/audio?format=wav`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (!response.ok) stop(`the platform answered ${response.status} for the recording`);
  return Buffer.from(await response.arrayBuffer());
}

async function bytesOf(named: string): Promise<Buffer> {
  if (existsSync(named)) return readFileSync(named);
  if (!/^call_\w+$/.test(named)) stop(`${named} is no file and no id of a call`);
  const { url, key } = access();
  const response = await fetch(`${url}/v1/calls/${named}/input-log`, { headers: { authorization: `Bearer ${key}` } });
  const body = (await response.json()) as { readonly log?: string; readonly message?: string };
  if (body.log === undefined) stop(`the platform answered ${response.status}: ${body.message ?? ''}`);
  return Buffer.from(body.log, 'base64');
}

function access(): { readonly url: string; readonly key: string } {
  const { PARLEY_URL: url, PARLEY_API_KEY: key } = process.env;
  if (url !== undefined && key !== undefined) return { url, key };
  const file = path.join(root, '.parley/dev.json');
  if (!existsSync(file)) stop('set PARLEY_URL and PARLEY_API_KEY, or run npm start');
  const { base_url, admin_key } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return { url: base_url ?? '', key: admin_key ?? '' };
}

function text(bytes: Buffer): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}
