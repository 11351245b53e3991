import { muLawWaveHeaderBytes } from '../formats/mu-law-wave';
import { decodeMuLaw, encodeMuLaw } from '../formats/mu-law';
import { pagesIn } from './ogg-page';
import { decodeOpus, OpusEncoder } from './opus-encoder';
import { headBytes, leadSamples, opusFileBytes, packetsInPage } from './opus-layout';
import { OpusThread } from './opus-thread';

/** A signal similar to two voices: the channels have different tones, and each is silent while the other is loud. */
function talk(samples: number): Buffer {
  const sides = new Int16Array(2 * samples);
  for (let n = 0; n < samples; n += 1) {
    const caller = Math.floor(n / 8_000) % 2 === 0;
    const tone = Math.sin((2 * Math.PI * (caller ? 340 : 610) * n) / 8_000) * (1 + Math.sin(n / 900));
    sides[2 * n + (caller ? 0 : 1)] = Math.round(6_000 * tone);
  }
  return encodeMuLaw(sides);
}

function fileOf(sound: Buffer, pieceBytes = sound.length): Buffer {
  const encoder = new OpusEncoder();
  const written: Buffer[] = [];
  for (let at = 0; at < sound.length; at += pieceBytes)
    written.push(encoder.write(sound.subarray(at, at + pieceBytes)));
  return Buffer.concat([...written, encoder.end()]);
}

const sideOf = (sound: Buffer, side: 0 | 1): number[] => [...decodeMuLaw(sound)].filter((_, n) => n % 2 === side);

/** The correlation of two signals, sample by sample; 1 if they are equal. */
function likeness(one: readonly number[], other: readonly number[]): number {
  let [both, ones, others] = [0, 0, 0];
  for (const [n, value] of one.entries()) {
    both += value * (other[n] ?? 0);
    ones += value * value;
    others += (other[n] ?? 0) ** 2;
  }
  return both / Math.sqrt(ones * others);
}

const energy = (samples: readonly number[]): number => samples.reduce((sum, value) => sum + value * value, 0);

describe('a recording as Ogg Opus', () => {
  it('has both Ogg Opus headers, and pages with consecutive numbers and positions', () => {
    const samples = 8_000 * 3 + 77;
    const file = fileOf(talk(samples));
    const [head, tags, ...pages] = pagesIn(file);
    const first = Buffer.from(head?.packets[0] ?? []);
    expect([first.toString('latin1', 0, 8), first[9], first.readUInt16LE(10), first.readUInt32LE(12)]).toEqual([
      'OpusHead',
      2,
      312,
      8_000,
    ]);
    expect(Buffer.from(tags?.packets[0] ?? []).toString('latin1', 0, 8)).toBe('OpusTags');
    expect(pages.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5]);
    expect(pages.map(({ granule }) => granule)).toEqual([48_000, 96_000, 144_000, (samples + leadSamples) * 6]);
    expect(pages.map(({ packets }) => packets.length)).toEqual([packetsInPage, packetsInPage, packetsInPage, 1]);
    // The flags of the first page, the second page and the last page.
    expect([file[5], file[headBytes + 5], file[file.length - (27 + 121) + 5]]).toEqual([2, 0, 4]);
  });

  it('is the same file for any division of the audio into pieces', () => {
    const sound = talk(20_001);
    expect(fileOf(sound, 2).equals(fileOf(sound))).toBe(true);
    expect(fileOf(sound, 3_334).equals(fileOf(sound))).toBe(true);
  });

  it.each([0, 1, 107, 108, 109, 160, 7_947, 7_948, 7_949, 8_000, 80_000])(
    'of %i samples has the computed file size, and decodes to as many samples',
    (samples) => {
      const file = fileOf(talk(samples));
      expect(file).toHaveLength(opusFileBytes(samples));
      expect(decodeOpus(file.subarray(headBytes), leadSamples, samples)).toHaveLength(2 * samples);
    },
  );

  it('keeps the signal and its timing, and separates the channels', () => {
    const sound = talk(80_000);
    const again = decodeOpus(fileOf(sound).subarray(headBytes), leadSamples, 80_000);
    for (const side of [0, 1] as const) {
      expect(likeness(sideOf(sound, side), sideOf(again, side))).toBeGreaterThan(0.99);
      // A second in which only the other channel is audible, without its edges.
      const from = side === 0 ? 9_000 : 17_000;
      const quiet = sideOf(again, side).slice(from, from + 6_000);
      const loud = sideOf(again, side === 0 ? 1 : 0).slice(from, from + 6_000);
      expect(10 * Math.log10(energy(loud) / Math.max(1, energy(quiet)))).toBeGreaterThan(40);
    }
  });

  it('is not decoded if it is damaged', () => {
    const file = fileOf(talk(8_000));
    file[headBytes + 300] = (file[headBytes + 300] as number) ^ 1;
    expect(() => decodeOpus(file.subarray(headBytes), leadSamples, 8_000)).toThrow('damaged');
  });
});

describe('the worker thread for Ogg Opus', () => {
  const thread = new OpusThread();
  afterAll(() => thread.stop());

  it('writes several files concurrently, equal to those of the encoder', async () => {
    const sounds = [talk(9_000), talk(12_345)];
    const files = await Promise.all(
      sounds.map(async (sound) => {
        const file = thread.file();
        return Buffer.concat([
          await file.write(sound.subarray(0, 5_000)),
          await file.write(sound.subarray(5_000)),
          await file.end(),
        ]);
      }),
    );
    expect(files.map((file, n) => file.equals(fileOf(sounds[n] as Buffer)))).toEqual([true, true]);
  });

  it('decodes a file to WAVE, with the same bytes for any range', async () => {
    const samples = 65 * 8_000 + 3;
    const sound = talk(samples);
    const file = fileOf(sound);
    const read = (from: number, to: number) => Promise.resolve(file.subarray(from, to));
    const size = muLawWaveHeaderBytes + 2 * samples;
    const readFrom = async (from: number, most: number): Promise<Buffer> => {
      const pieces: Buffer[] = [];
      for (let at = from, end = Math.min(size, from + most); at < end;) {
        const piece = await thread.readAsWave(samples, { from: at, most: end - at }, read);
        expect(piece.length).toBeGreaterThan(0);
        pieces.push(piece);
        at += piece.length;
      }
      return Buffer.concat(pieces);
    };
    const whole = await readFrom(0, size);
    expect(whole).toHaveLength(size);
    expect([whole.toString('latin1', 0, 4), whole.readUInt16LE(20), whole.readUInt32LE(54)]).toEqual([
      'RIFF',
      7,
      2 * samples,
    ]);
    expect(likeness(sideOf(whole.subarray(58), 1), sideOf(sound, 1))).toBeGreaterThan(0.99);
    const block = 58 + 480_000;
    for (const [from, most] of [
      [0, 1],
      [57, 2],
      [block - 1, 1],
      [block, 1],
      [block - 1, 2],
      [block + 480_000 - 1, 2],
      [size - 1, 1],
      [block + 33_333, 500_000],
    ] as const)
      expect((await readFrom(from, most)).equals(whole.subarray(from, from + most))).toBe(true);
  }, 30_000);

  it('rejects pending work when it is stopped, and starts a new thread for later work', async () => {
    const own = new OpusThread();
    const file = own.file();
    const writing = file.write(talk(800_000));
    await own.stop();
    await expect(writing).rejects.toThrow('ended');
    const next = own.file();
    expect(Buffer.concat([await next.write(talk(160)), await next.end()]).equals(fileOf(talk(160)))).toBe(true);
    await own.stop();
  });
});
