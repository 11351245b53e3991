import path from 'node:path';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { documentOf, serviceCaller } from '@parley/runtime';
import { FliteVoice } from '@parley/speech';
import { grpcClient, inProcessGrpc, testDatabase, type TestDatabase } from '@parley/testing';
import { partsOf } from './parts';
import { voiceStackService } from '../src/voice-stack-service';

const context = { requestId: 'test', caller: serviceCaller };
const text = 'Hello, this is a preview of how I will sound on a call.';

interface Wav {
  readonly sampleRate: number;
  readonly seconds: number;
  /** Relative to full scale, 32768. */
  readonly rms: number;
}

/** Reads a RIFF WAVE strictly: throws for anything but 16-bit mono PCM with a header that fits the bytes. */
function readWav(bytes: Buffer): Wav {
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  expect(bytes.toString('latin1', 8, 16)).toBe('WAVEfmt ');
  const [format, channels, sampleRate, bits] = [
    bytes.readUInt16LE(20),
    bytes.readUInt16LE(22),
    bytes.readUInt32LE(24),
    bytes.readUInt16LE(34),
  ];
  expect([format, channels, bits]).toEqual([1, 1, 16]);
  expect(bytes.toString('latin1', 36, 40)).toBe('data');
  const dataBytes = bytes.readUInt32LE(40);
  expect(dataBytes).toBe(bytes.length - 44);
  let sum = 0;
  for (let at = 44; at < bytes.length; at += 2) sum += bytes.readInt16LE(at) ** 2;
  return { sampleRate, seconds: dataBytes / 2 / sampleRate, rms: Math.sqrt(sum / (dataBytes / 2)) };
}

describe('voice previews', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof inProcessGrpc>>;
  let client: ReturnType<typeof grpcClient<VoiceStackServiceServer>>;
  const voice = new FliteVoice({ threads: 2, waiting: 8, timeoutMs: 30_000 });

  beforeAll(async () => {
    database = await testDatabase({ schemaFile: path.join(__dirname, '../schema.sql'), schema: 'voice_stack' });
    server = await inProcessGrpc([voiceStackService(partsOf({ db: database.db, offline: voice }))]);
    client = grpcClient<VoiceStackServiceServer>(VoiceStackServiceService, server.address);
  });

  afterAll(async () => {
    client?.close();
    await server?.stop();
    await voice.stop();
    await database?.drop();
  });

  const preview = async (change: { voice?: unknown; text?: string; language?: string; delivery?: string } = {}) => {
    const { voice = null, ...rest } = change;
    const request = { text, language: '', delivery: '', ...rest };
    const answer = await client.synthesizePreview(
      {
        ...request,
        voice: documentOf('VoiceSelection', JSON.stringify(voice)),
        organizationId: '',
        componentCredentialId: '',
      },
      context,
      { deadlineMs: 30_000 },
    );
    return answer.content;
  };
  const model = (name: string, voice_id?: string) => ({ provider: 'simulator', model: name, voice_id });

  it('POST /v1/voice-previews: returns an audible, well-formed WAV file', async () => {
    const { sampleRate, seconds, rms } = readWav(await preview());
    expect(sampleRate).toBe(16_000);
    expect(seconds).toBeGreaterThan(2);
    expect(seconds).toBeLessThan(6);
    expect(rms).toBeGreaterThan(500);
  });

  it('equal requests return equal bytes', async () => {
    expect((await preview()).equals(await preview())).toBe(true);
  });

  it('POST /v1/voice-previews delivery: changes the speed of a voice with speed control', async () => {
    const seconds = async (delivery: string) => readWav(await preview({ delivery })).seconds;
    const [none, natural, lively, calm, precise] = [
      await seconds(''),
      await seconds('natural'),
      await seconds('lively'),
      await seconds('calm'),
      await seconds('precise'),
    ];
    expect(natural).toBe(none);
    expect(lively).toBeLessThan(natural * 0.96);
    expect(precise).toBeGreaterThan(natural * 1.02);
    expect(calm).toBeGreaterThan(precise * 1.02);
  });

  it('POST /v1/voice-previews delivery: each value changes the audio of a voice with voice settings', async () => {
    const deliveries = ['natural', 'lively', 'calm', 'precise'];
    const sounds = [];
    for (const delivery of deliveries) {
      const bytes = await preview({ voice: model('sim-speak-european'), delivery });
      expect(readWav(bytes).rms).toBeGreaterThan(500);
      sounds.push(bytes.toString('base64'));
    }
    expect(new Set(sounds).size).toBe(deliveries.length);
  });

  it('POST /v1/voice-previews delivery: has no effect on a voice without a control', async () => {
    const voice = model('sim-speak-en');
    expect((await preview({ voice, delivery: 'calm' })).equals(await preview({ voice }))).toBe(true);
  });

  it('different voice ids give different audio', async () => {
    const sounds = [];
    for (const id of ['sim-anna', 'sim-otto', 'sim-bert', 'sim-carl']) {
      const bytes = await preview({ voice: model('sim-speak-40', id) });
      readWav(bytes);
      sounds.push(bytes.toString('base64'));
    }
    expect(new Set(sounds).size).toBeGreaterThan(1);
  });

  it('text in another language is spoken with the available pronunciation', async () => {
    const bytes = await preview({ text: 'Grüße aus München, wie geht es Ihnen?', language: 'de' });
    expect(readWav(bytes).rms).toBeGreaterThan(500);
  });

  it.each<[string, object]>([
    ['text', { text: 'привет, мир' }],
    ['text', { text: '?!' }],
    ['voice', { voice: model('nothing') }],
    ['voice', { voice: { provider: 'openai', model: 'gpt-4o-mini-tts', voice_id: 'x' } }],
    ['language', { voice: model('sim-speak-en'), language: 'de' }],
  ])('400 names %s for %j', async (field, change) => {
    const pending = preview(change);
    await expect(pending).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
    await expect(pending).rejects.toThrow(new RegExp(`^${field} `));
  });

  it('the response to the longest text is within the message limit', async () => {
    const { seconds } = readWav(await preview({ text: 'one two three four. '.repeat(25), delivery: 'calm' }));
    expect(seconds).toBeGreaterThan(20);
  });

  it('text that looks like an option or a file name is spoken as text', async () => {
    for (const odd of ['-o /etc/passwd', '-f /etc/passwd', '--setf duration_stretch=9'])
      expect(readWav(await preview({ text: odd })).rms).toBeGreaterThan(100);
  });
});
