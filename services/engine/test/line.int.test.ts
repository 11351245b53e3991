import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { readWave } from '@parley/speech';
import { eventually } from '@parley/testing';
import { WebSocket, WebSocketServer } from 'ws';
import type { LineEnd } from '../src/lines/line';
import { mostMessageBytes, TwilioLine } from '../src/lines/twilio';
import type { TwilioStart } from '../src/lines/twilio-messages';
import { MediaLoop } from '../src/media/media-loop';
import { MediaStream } from '../src/media/media-stream';
import { muLawSamples } from '../src/media/mu-law';
import { VoiceModel } from '../src/media/voice-model';
import { RepeatingAgent } from './repeating-agent';
import type { CalleeReport, Step } from './callee/script';
import { decibels, find } from './waveforms';

const now = (): number => performance.now();
const ms = (samples: number): number => samples / 8;
const at = (milliseconds: number): number => Math.round(milliseconds * 8);

let server: WebSocketServer;
let loop: MediaLoop;
let url: string;
const failures: unknown[] = [];
const calls: { start: TwilioStart; line: TwilioLine; parts: Buffer[]; pressed: string[]; end?: LineEnd }[] = [];

beforeAll(async () => {
  loop = new MediaLoop({
    model: await VoiceModel.load(),
    late: () => undefined,
    failed: (error) => failures.push(error),
  });
  loop.start();
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false, maxPayload: mostMessageBytes });
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('connection', (socket) => {
    new TwilioLine(socket, (line, start) => {
      const call: (typeof calls)[number] = { start, line, parts: [], pressed: [] };
      calls.push(call);
      const repeating = new RepeatingAgent(now, {
        pressed: (digits) => call.pressed.push(digits),
        ended: (end) => (call.end = end),
      });
      const stream = new MediaStream(line, repeating, { now, onPart: (_, bytes) => call.parts.push(bytes) });
      repeating.attach(stream);
      loop.add(stream);
      return stream;
    });
  });
});

afterAll(async () => {
  loop.stop();
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  calls.length = 0;
});

interface Heard extends CalleeReport {
  readonly said: Int16Array;
  readonly heard: Int16Array;
}

/** A call from a separate process. */
async function callOf(script: readonly Step[], parameters: Record<string, string> = {}): Promise<Heard> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-callee-'));
  try {
    const file = path.join(__dirname, 'callee/run.mts');
    const settings = JSON.stringify({ url, folder, parameters, script });
    const child = spawn(process.execPath, [file, settings], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(code).toBe(0);
    const wave = (name: string): Int16Array => readWave(readFileSync(path.join(folder, `${name}.wav`))).samples;
    return { ...(JSON.parse(output) as CalleeReport), said: wave('said'), heard: wave('heard') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Half a second out of the middle of what was said in a step. */
const middleOf = ({ said, steps }: Heard, step: number): { samples: Int16Array; from: number } => {
  const { from, to } = steps[step] as { from: number; to: number };
  const middle = at((from + to) / 2);
  return { samples: said.subarray(middle - at(250), middle + at(250)), from: ms(middle - at(250)) };
};

describe('a caller who talks over a media stream with an agent that repeats every utterance', () => {
  it('hears each utterance repeated after its end, and the recording has both at the same times', async () => {
    const call = await callOf(
      [
        { say: 'Can you tell me what an appointment costs?' },
        { agentSpeaks: true },
        { agentIsSilentForMs: 700 },
        { press: '7' },
        { say: 'Thank you very much.' },
        { agentSpeaks: true },
        { agentIsSilentForMs: 700 },
      ],
      { token: 'one-use' },
    );
    const [first] = call.steps as [{ from: number; to: number }];
    const wanted = middleOf(call, 0);
    const echo = find(wanted.samples, call.heard);
    expect(echo.correlation).toBeGreaterThan(0.95);
    // The whole utterance was repeated: the offset of its middle is the same as in the original.
    const began = ms(call.heard.findIndex((sample) => Math.abs(sample) > 400));
    expect(began).toBeGreaterThan(first.to);
    expect(Math.abs(ms(echo.at) - began - (wanted.from - first.from))).toBeLessThan(150);

    const [ended] = calls;
    await eventually(() => (ended?.end === undefined ? undefined : true));
    expect(ended).toMatchObject({
      end: 'hung_up_there',
      pressed: ['7'],
      start: { customParameters: { token: 'one-use' } },
    });
    expect(ended?.line.ignored).toBe(0);
    const recording = Buffer.concat(ended?.parts ?? []);
    const [left, right] = [0, 1].map((side) => muLawSamples(recording.filter((_, n) => n % 2 === side))) as [
      Int16Array,
      Int16Array,
    ];
    const caller = find(wanted.samples, left);
    const agent = find(call.heard.subarray(echo.at, echo.at + at(500)), right);
    expect(caller.correlation).toBeGreaterThan(0.95);
    expect(agent.correlation).toBeGreaterThan(0.95);
    const apart = ms(agent.at - caller.at) - (ms(echo.at) - wanted.from);
    expect(Math.abs(apart)).toBeLessThan(120);
    expect(failures).toEqual([]);
  });

  it('interrupts the agent by speaking', async () => {
    const call = await callOf([
      {
        say: 'I need to move my booking to another day, and I would like to know which days are free in the next two weeks.',
      },
      { agentSpeaks: true, forMs: 1_200 },
      { say: 'Wait.' },
      { agentSpeaks: true },
      { agentIsSilentForMs: 700 },
    ]);
    const [first, , second] = call.steps as { from: number; to: number }[];
    expect(call.clears).toBeGreaterThanOrEqual(1);
    const end = find(call.said.subarray(at((first?.to ?? 0) - 600), at((first?.to ?? 0) - 100)), call.heard);
    // The last words were not repeated: the agent was stopped before them.
    expect(end.correlation).toBeLessThan(0.7);
    const interruption = call.said.subarray(at(second?.from ?? 0), at(second?.to ?? 0));
    const repeated = find(interruption.subarray(at(50), at(50) + at(200)), call.heard.subarray(at(second?.to ?? 0)));
    expect(repeated.correlation).toBeGreaterThan(0.9);
    expect(decibels(call.heard.subarray(at((second?.to ?? 0) + 20), at((second?.to ?? 0) + 220)))).toBeLessThan(-50);
  });
});

describe('a connection that is not a media stream', () => {
  it('is closed with 1009 when a message is over the limit', async () => {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.send('x'.repeat(mostMessageBytes + 1));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1009);
  });
});
