import OpusScript from 'opusscript';
import { decodeMuLaw, encodeMuLaw, muLawSilence } from '../formats/mu-law';
import { bytesOf, samplesOf } from '../formats/wave';
import { oggPage, pagesIn } from './ogg-page';
import {
  channels,
  leadSamples,
  opusHead,
  packetBytes,
  packetSamples,
  packetsInPage,
  sampleRate,
  ticksPerSample,
} from './opus-layout';

/** Request numbers of libopus, from opus_defines.h. */
const setBitrate = 4_002;
const setVariableRate = 4_006;
const setComplexity = 4_010;

const packetSoundBytes = packetSamples * channels;

/** An instance of libopus, compiled to WebAssembly. It must be freed. */
function libopus(): OpusScript {
  // The mode for general audio keeps the channels separate and does not alter speech; the mode for voices would mix the channels.
  return new OpusScript(sampleRate, channels, OpusScript.Application.AUDIO);
}

/** Encodes mu-law with two interleaved channels as an Ogg Opus file. The file is the concatenation of the results. */
export class OpusEncoder {
  private readonly opus = libopus();
  private waiting: Buffer = Buffer.alloc(0);
  private packets: Buffer[] = [];
  private samples = 0;
  private encoded = 0;
  private pages = 0;

  constructor() {
    this.opus.encoderCTL(setBitrate, packetBytes * 8 * 50);
    this.opus.encoderCTL(setVariableRate, 0);
    this.opus.encoderCTL(setComplexity, 5);
  }

  /** @param sound complete samples of both channels */
  write(sound: Buffer): Buffer {
    this.samples += sound.length / channels;
    const finished: Buffer[] = this.pages === 0 ? [this.head()] : [];
    const all = Buffer.concat([this.waiting, sound]);
    let at = 0;
    for (; all.length - at >= packetSoundBytes; at += packetSoundBytes) {
      // The last page of a file has a flag, so a full page is written only when more audio follows.
      if (this.packets.length === packetsInPage) finished.push(this.page());
      this.encode(all.subarray(at, at + packetSoundBytes));
    }
    this.waiting = all.subarray(at);
    return Buffer.concat(finished);
  }

  /** Returns the rest of the file. */
  end(): Buffer {
    const finished: Buffer[] = this.pages === 0 ? [this.head()] : [];
    while (this.encoded < this.samples + leadSamples) {
      if (this.packets.length === packetsInPage) finished.push(this.page());
      const packet = Buffer.alloc(packetSoundBytes, muLawSilence);
      this.waiting.copy(packet);
      this.waiting = this.waiting.subarray(0, 0);
      this.encode(packet);
    }
    finished.push(this.page('last'));
    this.free();
    return Buffer.concat(finished);
  }

  free(): void {
    this.opus.delete();
  }

  private encode(sound: Buffer): void {
    const packet = this.opus.encode(bytesOf(decodeMuLaw(sound)), packetSamples);
    if (packet.length !== packetBytes) throw new Error(`libopus returned a packet of ${packet.length} bytes`);
    this.packets.push(packet);
    this.encoded += packetSamples;
  }

  private head(): Buffer {
    this.pages = 2;
    return opusHead();
  }

  private page(flag?: 'last'): Buffer {
    // The position of the last page is less than what its packets contain: it is the end of the audio plus the encoder's lead.
    const end = flag === undefined ? this.encoded : this.samples + leadSamples;
    const page = oggPage({ sequence: this.pages, granule: end * ticksPerSample, packets: this.packets }, flag);
    this.pages += 1;
    this.packets = [];
    return page;
  }
}

/** Decodes pages of audio to mu-law with this many samples in both channels, after skipping the first `skip` samples. */
export function decodeOpus(pages: Buffer, skip: number, samples: number): Buffer {
  const opus = libopus();
  try {
    const decoded = pagesIn(pages).flatMap(({ packets }) => packets.map((packet) => opus.decode(Buffer.from(packet))));
    const sound = Buffer.concat(decoded).subarray(skip * 2 * channels, (skip + samples) * 2 * channels);
    return encodeMuLaw(samplesOf(sound));
  } finally {
    opus.delete();
  }
}
