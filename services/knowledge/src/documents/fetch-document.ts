import { documentMediaTypes, limits, type DocumentMediaType } from '@parley/contract';
import type { OutboundClient } from '@parley/service';
import { textOf } from './read-content';
import { ContentFailure } from './content-failure';

export interface Fetched {
  readonly mediaType: DocumentMediaType;
  /** In the order of its bytes. */
  readonly content: Iterable<Buffer> | AsyncIterable<Buffer>;
}

const timeoutMs = 15_000;

/** The fetch may be retried: the server did not respond, or is temporarily unavailable. */
export class NotNow extends ContentFailure {}

/** Fetches the document from the URL that the customer has set, once and without following redirects. @throws ContentFailure */
export async function fetchDocument(
  client: Pick<OutboundClient, 'send'>,
  url: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const headers = {
    accept: documentMediaTypes.join(', '),
    'accept-encoding': 'identity',
    'user-agent': 'parley-knowledge',
  };
  const answer = await client.send({ method: 'GET', url, headers, timeoutMs, mostBytes: limits.documentBytes, signal });
  const { status, error, body, truncated, contentType } = answer;
  if (error === 'refused_address') throw new ContentFailure('address_refused', 'its address is not allowed');
  if (error !== undefined || status === undefined)
    throw new NotNow('unreachable', `its server did not answer: ${error ?? 'no answer'}`);
  if (status === 429 || status >= 500) throw new NotNow('answer_refused', `its server answered HTTP ${status}`);
  if (status < 200 || status > 299)
    throw new ContentFailure('answer_refused', `its server answered HTTP ${status}; redirects are not followed`);
  if (truncated) throw new ContentFailure('too_large', `it is larger than ${limits.documentBytes} bytes`);
  const named = contentType?.split(';')[0]?.trim().toLowerCase();
  const mediaType = documentMediaTypes.find((type) => type === named);
  if (mediaType === undefined)
    throw new ContentFailure('media_type', `its server returned the media type ${named ?? 'none'}`.slice(0, 200));
  const charset = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '')?.[1];
  // The address's server knows the encoding better than the page: a byte order mark tells the reader.
  const content =
    charset === undefined || mediaType === 'application/pdf' ? body : Buffer.from(`\uFEFF${textOf(body, charset)}`);
  return { mediaType, content: [content] };
}
