/** Pages of Ogg (RFC 3533), the container format for Opus in files. */

export const pageHeadBytes = 27;
const polynomial = 0x04c11db7;
/** The offsets of the fields of a page header that are written and read here. */
const at = { flags: 5, granule: 6, serial: 14, sequence: 18, checksum: 22, segments: 26 } as const;
const longestSegment = 255;

export interface OggPage {
  readonly sequence: number;
  /** The position in the audio at which the page's last packet ends. */
  readonly granule: number;
  /** The packets of the page. Each is complete and shorter than 255 bytes. */
  readonly packets: readonly Uint8Array[];
}

/** The stream's serial number; a file contains only one stream. */
const serial = 1;
const flagOf = { first: 2, last: 4 } as const;

export function oggPage({ sequence, granule, packets }: OggPage, flag?: keyof typeof flagOf): Buffer {
  const page = Buffer.concat([Buffer.alloc(pageHeadBytes + packets.length), ...packets]);
  page.write('OggS', 0, 'latin1');
  page.writeUInt8(flag === undefined ? 0 : flagOf[flag], at.flags);
  page.writeBigInt64LE(BigInt(granule), at.granule);
  page.writeUInt32LE(serial, at.serial);
  page.writeUInt32LE(sequence, at.sequence);
  page.writeUInt8(packets.length, at.segments);
  for (const [n, { length }] of packets.entries()) {
    // A longer packet would need a second segment.
    if (length >= longestSegment) throw new RangeError(`a packet of ${length} bytes`);
    page.writeUInt8(length, pageHeadBytes + n);
  }
  page.writeUInt32LE(checksumOf(page), at.checksum);
  return page;
}

/** The pages in these bytes. @throws Error unless the bytes consist of complete pages */
export function pagesIn(bytes: Buffer): OggPage[] {
  const pages: OggPage[] = [];
  for (let from = 0; from < bytes.length;) {
    const body = from + pageHeadBytes + (bytes[from + at.segments] ?? 0);
    const lengths = bytes.subarray(from + pageHeadBytes, body);
    const end = body + lengths.reduce((sum, length) => sum + length, 0);
    const page = bytes.subarray(from, end);
    if (page.toString('latin1', 0, 4) !== 'OggS' || end > bytes.length) throw new Error('not an Ogg page');
    const checked = Buffer.from(page);
    checked.writeUInt32LE(0, at.checksum);
    if (checksumOf(checked) !== page.readUInt32LE(at.checksum)) throw new Error('an Ogg page is damaged');
    const packets: Buffer[] = [];
    for (let n = 0, place = body; n < lengths.length; n += 1) {
      packets.push(bytes.subarray(place, place + (lengths[n] as number)));
      place += lengths[n] as number;
    }
    pages.push({
      sequence: page.readUInt32LE(at.sequence),
      granule: Number(page.readBigInt64LE(at.granule)),
      packets,
    });
    from = end;
  }
  return pages;
}

const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ polynomial : value << 1;
  return value;
});

/** The CRC-32 of a page in which the checksum field is zero; its initial value is zero, and it is not reflected. */
function checksumOf(page: Uint8Array): number {
  let sum = 0;
  for (const byte of page) sum = (sum << 8) ^ (checksums[(sum >>> 24) ^ byte] as number);
  return sum >>> 0;
}
