import type { Document } from '@parley/proto/common';
import type { Answer } from '../answer';
import { present } from './present';

/** A JSON object of plain fields and documents; the text of those is put in as it came, not parsed and written again. */
export function embedding(fields: object, documents: Readonly<Record<string, Document | undefined>>): Answer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(fields)) {
    parts.push(Buffer.from(`${JSON.stringify(name)}:${JSON.stringify(value)}`));
  }
  for (const [name, document] of Object.entries(documents)) {
    parts.push(Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), present(document, name).json]));
  }
  const between = parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(','), part]));
  return { body: Buffer.concat([Buffer.from('{'), ...between, Buffer.from('}')]) };
}
