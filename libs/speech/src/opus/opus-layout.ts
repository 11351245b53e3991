/**
 * The layout of a recording as Ogg Opus (RFC 7845). All packets have the same size, and all pages except the last have the same number of packets, which is one
 * second. Therefore the position of any second in the file can be computed.
 */
import { oggPage, pageHeadBytes } from './ogg-page';

export const sampleRate = 8_000;
export const channels = 2;
export const packetSamples = sampleRate / 50;
export const packetsInPage = 50;
/** 48 kbit/s for both channels; lower rates cause crosstalk. */
export const packetBytes = 120;

/** The encoder's lead (pre-skip), which players skip: 6.5 ms. */
export const leadSamples = 52;
/** Positions in a file are counted in 48,000 ticks per second, whatever the sample rate. */
export const ticksPerSample = 48_000 / sampleRate;

const pageBytes = pageHeadBytes + packetsInPage * (1 + packetBytes);

/** The two header pages, which describe the audio that follows. */
export function opusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head.writeUInt8(1, 8);
  head.writeUInt8(channels, 9);
  head.writeUInt16LE(leadSamples * ticksPerSample, 10);
  head.writeUInt32LE(sampleRate, 12);
  const vendor = Buffer.from('Parley');
  const tags = Buffer.alloc(16 + vendor.length);
  tags.write('OpusTags', 0, 'latin1');
  tags.writeUInt32LE(vendor.length, 8);
  vendor.copy(tags, 12);
  return Buffer.concat([
    oggPage({ sequence: 0, granule: 0, packets: [head] }, 'first'),
    oggPage({ sequence: 1, granule: 0, packets: [tags] }),
  ]);
}

export const headBytes = opusHead().length;

const pagesOf = (samples: number): number => Math.ceil((samples + leadSamples) / (packetSamples * packetsInPage));

/** The size of a file with this many samples in each channel. */
export function opusFileBytes(samples: number): number {
  const packets = Math.max(1, Math.ceil((samples + leadSamples) / packetSamples));
  return headBytes + Math.ceil(packets / packetsInPage) * pageHeadBytes + packets * (1 + packetBytes);
}

/** Audio is decoded in blocks of this many seconds. Each block is decoded together with the page before it, which the decoder needs to converge. */
export const blockSeconds = 30;
const blockSamples = blockSeconds * sampleRate;

/** Which pages must be read and decoded for the samples of a block, and which of the decoded samples belong to it. */
export interface DecodedBlock {
  readonly from: number;
  readonly to: number;
  readonly skip: number;
  readonly samples: number;
}

/** @param samples the number of samples per channel in the whole file */
export function blockAt(block: number, samples: number): DecodedBlock {
  const first = block * blockSeconds;
  const wanted = Math.min(blockSamples, samples - block * blockSamples);
  const ahead = first === 0 ? 0 : 1;
  const last = Math.min(pagesOf(samples), first + blockSeconds + 1);
  return {
    from: headBytes + (first - ahead) * pageBytes,
    to: Math.min(opusFileBytes(samples), headBytes + last * pageBytes),
    skip: ahead * packetsInPage * packetSamples + leadSamples,
    samples: wanted,
  };
}

/** The size of a decoded block; a sample of both channels has two bytes of mu-law. */
export const blockBytes = blockSamples * channels;
