/**
 * How a recording is laid out as Ogg Opus (RFC 7845). All packets have the same size and all pages but the last the same number of them, a second: where
 * a second of the sound is in the file follows from its number.
 */
import { oggPage, pageHeadBytes } from './ogg-page';

export const sampleRate = 8_000;
export const channels = 2;
export const packetSamples = sampleRate / 50;
export const packetsInPage = 50;
/** 48 kbit/s for both channels. At lower rates there is crosstalk. */
export const packetBytes = 120;

/** The encoder's lead (pre-skip), which a player skips: 6.5 ms. */
export const leadSamples = 52;
/** Positions in a file count 48,000 per second, whatever the sample rate. */
export const ticksPerSample = 48_000 / sampleRate;

const pageBytes = pageHeadBytes + packetsInPage * (1 + packetBytes);

/** The two pages that say what follows. */
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

/** Of a file with so many samples in each channel. */
export function opusFileBytes(samples: number): number {
  const packets = Math.max(1, Math.ceil((samples + leadSamples) / packetSamples));
  return headBytes + Math.ceil(packets / packetsInPage) * pageHeadBytes + packets * (1 + packetBytes);
}

/** Audio is decoded in blocks of this many seconds, each together with the page before it, which the decoder needs to converge. */
export const blockSeconds = 30;
const blockSamples = blockSeconds * sampleRate;

/** The pages to read and decode for the samples of a block, and which of the decoded samples belong to it. */
export interface DecodedBlock {
  readonly from: number;
  readonly to: number;
  readonly skip: number;
  readonly samples: number;
}

/** @param samples of each channel of the whole file */
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

/** Two bytes of mu-law a sample. */
export const blockBytes = blockSamples * channels;
