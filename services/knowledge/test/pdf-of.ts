import { deflateSync } from 'node:zlib';

/** A PDF with one line of text on each page. @param inflated bytes of white space that follow the line of the first page once its content is inflated */
export function pdfOf(lines: readonly string[], { inflated = 0 } = {}): Buffer {
  const objects: Buffer[] = [];
  const object = (body: string | Buffer): number => objects.push(Buffer.from(body));
  const font = object('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const pages = lines.length * 2 + 2;
  const kids = lines.map((line, index) => {
    const text = line === '' ? '' : `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
    const stream = deflateSync(Buffer.concat([Buffer.from(text), Buffer.alloc(index === 0 ? inflated : 0, ' ')]));
    const head = `<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`;
    const content = object(Buffer.concat([Buffer.from(head), stream, Buffer.from('\nendstream')]));
    return object(
      `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
    );
  });
  object(`<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] >>`);
  const catalog = object(`<< /Type /Catalog /Pages ${pages} 0 R >>`);
  const parts = [Buffer.from('%PDF-1.4\n')];
  let at = parts[0]?.length ?? 0;
  const offsets = objects.map((body, index) => {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(whole);
    at += whole.length;
    return at - whole.length;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root ${catalog} 0 R >>\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}
