import { lookUp, turnFeatures, type KnownWord, type Lexicon } from './turn-features';

/** A trained model: known words, and the weight of each feature, an 8-bit number times `scale`. */
export interface TurnModel {
  readonly lexicon: Lexicon;
  readonly scale: number;
  readonly weights: ReadonlyMap<number, number> | WeightTable;
}

const magic = 0x314e5254;
const headerBytes = 16;
const wordBytes = 8;
const buckets = 65_536;

/** Features sorted by their hash: the upper 16 bits select a bucket, the lower ones are searched for in it. */
export class WeightTable {
  constructor(
    private readonly firsts: Uint32Array,
    private readonly keys: Uint16Array,
    private readonly values: Int8Array,
  ) {}

  get(hash: number): number | undefined {
    const bucket = hash >>> 16;
    const key = hash & 0xffff;
    const end = this.firsts[bucket + 1] as number;
    for (let at = this.firsts[bucket] as number; at < end; at++) if (this.keys[at] === key) return this.values[at];
    return undefined;
  }
}

/** About calls that the texts of training do not resemble, words say less than in training, and the length of the turn says more. */
const lengthWeight = 0.4;
const longest = 20;

/** The sum of the weights: the logarithm of the odds that the turn is finished, up to a constant. */
export function scoreOf(words: readonly string[], { lexicon, scale, weights }: TurnModel): number {
  let sum = 0;
  for (const feature of turnFeatures(lookUp(words, lexicon))) sum += weights.get(feature) ?? 0;
  return sum * scale + lengthWeight * Math.log(Math.min(words.length, longest) / longest);
}

/** The file: header, known words by hash, size of each bucket, keys, weights; little-endian. */
export function encodeModel({ lexicon, scale, weights }: TurnModel & { weights: ReadonlyMap<number, number> }): Buffer {
  const words = [...lexicon].sort(([one], [other]) => one - other);
  const features = [...weights].sort(([one], [other]) => one - other);
  const head = Buffer.alloc(headerBytes + words.length * wordBytes);
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(words.length, 4);
  head.writeUInt32LE(features.length, 8);
  head.writeFloatLE(scale, 12);
  words.forEach(([hash, { common, coarse, fine }], nth) => {
    const at = headerBytes + nth * wordBytes;
    head.writeUInt32LE(hash, at);
    head.writeUInt8(common ? 1 : 0, at + 4);
    head.writeUInt8(coarse, at + 5);
    head.writeUInt16LE(fine, at + 6);
  });
  const sizes = Buffer.alloc(buckets);
  const keys = Buffer.alloc(features.length * 2);
  const values = Buffer.alloc(features.length);
  features.forEach(([hash, value], nth) => {
    sizes.writeUInt8(sizes.readUInt8(hash >>> 16) + 1, hash >>> 16);
    keys.writeUInt16LE(hash & 0xffff, nth * 2);
    values.writeInt8(value, nth);
  });
  return Buffer.concat([head, sizes, keys, values]);
}

/** @throws Error if the file is not what `encodeModel` writes */
export function decodeModel(file: Buffer): TurnModel {
  if (file.length < headerBytes || file.readUInt32LE(0) !== magic)
    throw new Error('this is no file of a turn detector');
  const words = file.readUInt32LE(4);
  const features = file.readUInt32LE(8);
  const sizesAt = headerBytes + words * wordBytes;
  const keysAt = sizesAt + buckets;
  const valuesAt = keysAt + features * 2;
  if (file.length !== valuesAt + features) throw new Error('the file of the turn detector is not whole');
  const lexicon = new Map<number, KnownWord>();
  for (let at = headerBytes; at < sizesAt; at += wordBytes) {
    const [common, coarse, fine] = [file.readUInt8(at + 4) === 1, file.readUInt8(at + 5), file.readUInt16LE(at + 6)];
    lexicon.set(file.readUInt32LE(at), { common, coarse, fine });
  }
  const firsts = new Uint32Array(buckets + 1);
  for (let bucket = 0; bucket < buckets; bucket++)
    firsts[bucket + 1] = (firsts[bucket] as number) + file.readUInt8(sizesAt + bucket);
  if (firsts[buckets] !== features) throw new Error('the file of the turn detector is not whole');
  const keys = Uint16Array.from({ length: features }, (_, nth) => file.readUInt16LE(keysAt + nth * 2));
  const values = Int8Array.from({ length: features }, (_, nth) => file.readInt8(valuesAt + nth));
  return { lexicon, scale: file.readFloatLE(12), weights: new WeightTable(firsts, keys, values) };
}
