/**
 * npm run asterisk -- try: places one call with sipp in PCMU and one with baresip in G.722, through Asterisk to a media server that replaces the engine. Both
 * are evaluated by the caller's recordings.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeMuLaw, encodeMuLaw } from '../../../bench/media/mulaw.mts';
import type { Guard } from '../../processes/guard.mts';
import { StartError } from '../../processes/program.mts';
import { Supervisor } from '../../processes/supervisor.mts';
import { install, type InstallOptions } from '../install/install.mts';
import { startAsterisk, type RunningAsterisk } from '../start.mts';
import {
  callWithBaresip,
  callWithSipp,
  longestCallSeconds,
  recordingsOfBaresip,
  type CallOptions,
} from './callers.mts';
import { Capture } from './capture.mts';
import { converse } from './conversation.mts';
import { CpuMeter } from './cpu.mts';
import { figuresOf, type Figures, type TriedCall } from './figures.mts';
import { judge, type Judgement } from './judge.mts';
import { MediaServer } from './media-server.mts';
import { callIn, type CallPackets } from './packets.mts';
import { digitOfSipp } from './sipp-scenario.mts';
import { atHalfRate, bytesOf, joined, readWav, samplesOf, silence, speak, writeWav, type Sound } from './sound.mts';
import { requireTools } from './tools.mts';

const words = 'The practice is open from nine to five on Saturdays.';
const callersWords = 'Hello, I would like to see the doctor this week, please.';
const digitOfBaresip = '7';

type Caller = 'sipp' | 'baresip';
type Tools = ReturnType<typeof requireTools>;

interface Trial {
  folder: string;
  tools: Tools;
  asterisk: RunningAsterisk;
  media: MediaServer;
  /** Ends the callers when this process ends. */
  guard: Guard;
  utterance: Sound;
  callersUtterance: Sound;
}

export interface TrialOptions extends InstallOptions {
  /** Whether to keep the recordings and the log of a successful trial too. */
  keep?: boolean;
}

export async function tryCalls(options: TrialOptions): Promise<Judgement & { version: string }> {
  const tools = requireTools(options.say);
  const installation = await install(options);
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-asterisk-'));
  const restarts: string[] = [];
  const supervisor = new Supervisor({ onNotice: (text) => restarts.push(text), readyTimeoutMs: 20_000 });
  supervisor.guard.scrap(folder);
  let isOfUse = true;
  const media = await MediaServer.start();
  try {
    const [utterance, callersUtterance] = await Promise.all([
      speak(tools.flite, 'slt', words, path.join(folder, 'said.wav')),
      speak(tools.flite, 'rms', callersWords, path.join(folder, 'said-by-caller.wav')),
    ]);
    const asterisk = await startAsterisk({
      mediaUrl: media.url,
      directory: path.join(folder, 'asterisk'),
      installation,
      supervisor,
    });
    const { guard } = supervisor;
    const trial = { folder, tools, asterisk, media, guard, utterance, callersUtterance };
    const calls = { 'sipp, PCMU': await tryCall(trial, 'sipp'), 'baresip, G.722': await tryCall(trial, 'baresip') };
    const { rows, broken } = judge(calls);
    const logged = readFileSync(asterisk.log, 'utf8')
      .split('\n')
      .filter((line) => /\] (ERROR|WARNING)\[/.test(line));
    const all = [...broken, ...restarts, ...logged];
    isOfUse = all.length > 0 || options.keep === true;
    return { version: asterisk.version, rows, broken: all };
  } finally {
    await supervisor.stop();
    await media.stop();
    if (isOfUse) options.say(`recordings and log: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function tryCall(trial: Trial, caller: Caller): Promise<Figures> {
  const { folder, tools, asterisk, media, guard } = trial;
  const isWide = caller === 'baresip';
  const directory = path.join(folder, caller);
  mkdirSync(directory);
  const utterance = inWholeFrames(isWide ? trial.utterance : atHalfRate(trial.utterance));
  const callersUtterance = isWide ? trial.callersUtterance : atHalfRate(trial.callersUtterance);
  const number = isWide ? '722' : '711';
  const options: CallOptions = {
    binary: tools[caller],
    guard,
    directory,
    sipPort: asterisk.sipPort,
    number,
    audio: writeCallersAudio(directory, callersUtterance),
  };
  const capture = await Capture.start(tools.tcpdump, asterisk.ports, guard);
  const cpu = new CpuMeter(asterisk.pid() ?? 0);
  const coming = media.call(number, 10_000);
  coming.catch(() => undefined);
  const placed = await (isWide ? callWithBaresip(options) : callWithSipp(options));
  try {
    const call = await firstOf(coming, placed.ended);
    const encoded = isWide ? bytesOf(utterance.samples) : encodeMuLaw(utterance.samples);
    const conversation = await converse(call, encoded, () => placed.press(digitOfBaresip));
    if (isWide) call.command('HANGUP');
    const hasEnded = await call.ended(longestCallSeconds * 1_000);
    const [asteriskCpu, asteriskMegabytes] = [cpu.share(), cpu.residentMegabytes()];
    if (isWide) placed.press('q');
    const { code, output } = await placed.ended;
    if (code !== 0 || !hasEnded)
      throw new StartError(`the call of ${caller} did not end well (${code}):\n${output.slice(-2_000)}`);
    const packets = callIn(await capture.stop(), asterisk.sipPort);
    const heardByMediaServer = decoded(
      isWide,
      call.frames.map(({ bytes }) => bytes),
    );
    writeWav(path.join(directory, 'heard-by-media-server.wav'), heardByMediaServer);
    const tried: TriedCall = {
      media: call,
      conversation,
      packets,
      utterance,
      encoded,
      callersUtterance,
      ...recordingsOf(directory, isWide, packets),
      heardByMediaServer,
      asteriskCpu,
      asteriskMegabytes,
      digit: isWide ? digitOfBaresip : digitOfSipp,
    };
    return figuresOf(tried);
  } finally {
    placed.kill();
    await placed.ended;
    await capture.stop();
  }
}

/** Pads audio to whole frames of 20 ms, because chan_websocket drops incomplete ones. */
function inWholeFrames(sound: Sound): Sound {
  const frame = sound.rate / 50;
  return joined(sound, silence(sound.rate, ((frame - (sound.samples.length % frame)) * 1_000) / sound.rate));
}

/** Half a second of silence, the words, and silence for the rest of the call. */
function writeCallersAudio(directory: string, words: Sound): string {
  const audio = joined(silence(words.rate, 500), words, silence(words.rate, longestCallSeconds * 1_000));
  const file = path.join(directory, words.rate === 8_000 ? 'played.ulaw' : 'played.wav');
  if (words.rate === 8_000) writeFileSync(file, encodeMuLaw(audio.samples));
  else writeWav(file, audio);
  return file;
}

/** For baresip its own recordings; for sipp the packets at its ports in the order of their arrival. */
function recordingsOf(directory: string, isWide: boolean, packets: CallPackets) {
  if (isWide) {
    const { heard, sent } = recordingsOfBaresip(directory);
    return { heardByCaller: readWav(heard), sentByCaller: readWav(sent) };
  }
  const heardByCaller = decoded(
    false,
    packets.heard.map(({ payload }) => payload),
  );
  writeWav(path.join(directory, 'heard.wav'), heardByCaller);
  return {
    heardByCaller,
    sentByCaller: decoded(
      false,
      packets.sent.map(({ payload }) => payload),
    ),
  };
}

function decoded(isWide: boolean, parts: readonly Buffer[]): Sound {
  const bytes = Buffer.concat(parts);
  return isWide ? { rate: 16_000, samples: samplesOf(bytes) } : { rate: 8_000, samples: decodeMuLaw(bytes) };
}

/** Waits for the call. @throws StartError if the caller's program ends before its call reaches the media server */
async function firstOf<Call>(coming: Promise<Call>, ended: Promise<{ code: number; output: string }>): Promise<Call> {
  const failed = ended.then(({ code, output }): never => {
    throw new StartError(`the caller ended (${code}) before its call was connected:\n${output.slice(-2_000)}`);
  });
  failed.catch(() => undefined);
  return Promise.race([coming, failed]);
}
