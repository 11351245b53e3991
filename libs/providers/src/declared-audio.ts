import { decodeMuLaw } from '@parley/speech';
import { invalidAnswer } from './failures';
import { PcmReader } from './pcm';

interface Format {
  readonly encoding: 'pcm' | 'float' | 'mu-law';
  readonly bytesPerSample: number;
  readonly channels: number;
  readonly rate: number;
  readonly isBigEndian?: boolean;
}

/** The longest header of a WAVE file before its audio: chunks of names and comments may come first. */
const longestHeader = 64 * 1024;
const rates = { least: 4_000, most: 192_000 } as const;

/**
 * Reads the audio of a voice server by what the server declares: a WAVE file by its header, samples by the content type. Every other format is an invalid
 * answer, so that a fallback speaks instead of noise.
 */
export class DeclaredAudio {
  private rest: Buffer = Buffer.alloc(0);
  private format: Format | undefined;
  /** How many bytes of audio are left in a WAVE file. */
  private left = Infinity;
  private reader: PcmReader | undefined;

  /** @param usualRate the rate of samples whose type names none */
  constructor(
    private readonly provider: string,
    private readonly contentType: string,
    private readonly usualRate: number,
    private readonly wantedRate: number,
  ) {}

  /** @throws ProviderError with `invalid_answer` */
  read(bytes: Uint8Array): Int16Array {
    this.rest = this.rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.rest, bytes]);
    if (this.format === undefined && !this.detect()) return new Int16Array(0);
    const format = this.format as Format;
    const frame = format.bytesPerSample * format.channels;
    const whole = Math.min(this.left, this.rest.length - (this.rest.length % frame));
    const audio = this.rest.subarray(0, whole - (whole % frame));
    this.rest = this.left === whole ? Buffer.alloc(0) : Buffer.from(this.rest.subarray(audio.length));
    this.left -= audio.length;
    this.reader ??= readerOf(format.rate, this.wantedRate);
    return this.reader.convert(samplesOf(audio, format));
  }

  /** @returns false if more bytes are needed */
  private detect(): boolean {
    const { rest, contentType } = this;
    if (rest.length < 4) return false;
    const magic = rest.toString('latin1', 0, 4);
    if (magic === 'RIFF' || /^audio\/(?:x-|vnd\.)?wave?\b/i.test(contentType)) return this.readHeader(magic);
    this.format = this.declared();
    // Some servers declare samples and send a compressed format.
    if (/^(?:ID3|OggS|fLaC|FORM|\x1aE\xdf\xa3|\xff[\xf1\xf3\xf9\xfb])/.test(magic) && !isRaw(contentType))
      throw invalidAnswer(this.provider, 'sent a compressed format');
    return true;
  }

  private declared(): Format {
    const [type = '', ...parameters] = this.contentType.toLowerCase().split(';');
    const given = new Map(parameters.map((one) => one.split('=').map((part) => part.trim()) as [string, string]));
    const number = (name: string): number | undefined => (given.has(name) ? Number(given.get(name)) : undefined);
    const channels = number('channels') ?? 1;
    const name = type.trim();
    if (/^audio\/(?:basic|x-?mulaw|mulaw|pcmu)$/.test(name))
      return this.checked({ encoding: 'mu-law', bytesPerSample: 1, channels, rate: number('rate') ?? 8_000 });
    if (name !== '' && !/^(?:audio\/(?:x-)?(?:pcm|l16|raw|s16le)|(?:application|binary)\/octet-stream)$/.test(name))
      throw invalidAnswer(this.provider, 'returned no audio that can be played');
    const rate = number('rate') ?? number('sample-rate') ?? number('samplerate') ?? this.usualRate;
    const isBigEndian = given.get('endianness') === 'big-endian' || given.get('endian') === 'big';
    return this.checked({ encoding: 'pcm', bytesPerSample: 2, channels, rate, isBigEndian });
  }

  private readHeader(magic: string): boolean {
    const { rest } = this;
    if (magic !== 'RIFF') throw invalidAnswer(this.provider, 'returned no WAVE file');
    if (rest.length >= 12 && rest.toString('latin1', 8, 12) !== 'WAVE')
      throw invalidAnswer(this.provider, 'returned no WAVE file');
    let found: Format | undefined;
    for (let at = 12; at + 8 <= rest.length;) {
      const size = rest.readUInt32LE(at + 4);
      const name = rest.toString('latin1', at, at + 4);
      if (name === 'data') {
        if (found === undefined) throw invalidAnswer(this.provider, 'returned a WAVE file without a format');
        this.format = this.checked(found);
        // A server that streams does not know the size.
        this.left = size === 0 || size >= 0x7fff_0000 ? Infinity : size;
        this.rest = Buffer.from(rest.subarray(at + 8));
        return true;
      }
      if (name === 'fmt ' && at + 24 <= rest.length) found = this.formatAt(at + 8, size);
      at += 8 + size + (size % 2);
    }
    if (rest.length > longestHeader) throw invalidAnswer(this.provider, 'returned a WAVE file without audio');
    return false;
  }

  private formatAt(at: number, size: number): Format {
    const { rest } = this;
    const tag = rest.readUInt16LE(at);
    // The extensible form has the tag in its last part.
    const code = tag === 0xfffe && size >= 26 && at + 26 <= rest.length ? rest.readUInt16LE(at + 24) : tag;
    const encoding = { 1: 'pcm', 3: 'float', 7: 'mu-law' }[code] as Format['encoding'] | undefined;
    if (encoding === undefined) throw invalidAnswer(this.provider, 'returned a compressed WAVE file');
    const [channels, rate] = [rest.readUInt16LE(at + 2), rest.readUInt32LE(at + 4)];
    return { encoding, channels, rate, bytesPerSample: rest.readUInt16LE(at + 14) / 8 };
  }

  private checked(format: Format): Format {
    const { encoding, bytesPerSample, channels, rate } = format;
    const sizes = { pcm: [1, 2, 3, 4], float: [4], 'mu-law': [1] }[encoding];
    const isKnown = sizes.includes(bytesPerSample) && Number.isInteger(channels) && channels >= 1 && channels <= 8;
    if (!isKnown || !Number.isInteger(rate) || rate < rates.least || rate > rates.most)
      throw invalidAnswer(this.provider, 'returned audio in a format that cannot be played');
    return format;
  }
}

/** Rates with a ratio that needs too many filters are rounded, which is not audible. */
function readerOf(rate: number, wanted: number): PcmReader {
  for (const step of [1, 100, 1_000])
    try {
      return new PcmReader(Math.round(rate / step) * step, wanted);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  throw new RangeError(`${rate} Hz cannot be resampled`);
}

const isRaw = (contentType: string): boolean => /^audio\/(?:x-)?(?:pcm|l16)/i.test(contentType);

/** The samples of the first channel. */
function samplesOf(bytes: Buffer, { encoding, bytesPerSample: size, channels, isBigEndian }: Format): Int16Array {
  if (encoding === 'mu-law' && channels === 1) return decodeMuLaw(bytes);
  const frame = size * channels;
  const samples = new Int16Array(bytes.length / frame);
  for (let n = 0; n < samples.length; n += 1) samples[n] = sampleAt(bytes, n * frame);
  return samples;

  function sampleAt(from: Buffer, at: number): number {
    if (encoding === 'float') return Math.max(-1, Math.min(1, from.readFloatLE(at) || 0)) * 32_767;
    if (encoding === 'mu-law') return decodeMuLaw(from.subarray(at, at + 1))[0] as number;
    // In WAVE files, 8 bits are unsigned.
    if (size === 1) return (from.readUInt8(at) - 128) << 8;
    return isBigEndian === true ? from.readInt16BE(at) : from.readInt16LE(at + size - 2);
  }
}
