import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits, routes, uploadBytes, type AnyRoute, type Upload } from '@parley/contract';
import { AppError } from '@parley/errors';
import { readBody, readUpload, type BodyAccount } from '@parley/runtime';
import type { RequestHandler } from 'express';
import { RequestBody } from './request-body';

/** What the reader of an upload that is passed on piece by piece holds at most; others are held as a whole. */
const windows: ReadonlyMap<string, number> = new Map([
  // Two pieces and a record that does not end.
  [routes.addCampaignContacts.id, 768 * 1024],
  // A part as it was received, gathered and sent.
  [routes.putKnowledgeDocumentContent.id, 3 * limits.documentPartBytes],
]);

/**
 * The body of a request to a declared route. JSON is read completely and parsed; an upload is read by its handler.
 * @throws AppError 415, 413, 429 or 503 for a body that is refused before it is read; 400 for one that is no JSON object
 */
export function receiveBody(
  declaration: AnyRoute,
  request: IncomingMessage,
  response: ServerResponse,
  account: BodyAccount,
): RequestBody | Promise<RequestBody> {
  const upload = uploadOf(declaration, request);
  if (upload !== undefined) {
    const window = windows.get(declaration.id);
    const bytes = readUpload(request, response, { limit: uploadBytes[upload], account, window });
    return RequestBody.uploaded(declaration, bytes, upload);
  }
  const bytes = readBody(request, response, { limit: declaration.bodyBytes, account });
  if (bytes instanceof Promise) return bytes.then((read) => RequestBody.parse(declaration, read));
  return RequestBody.parse(declaration, bytes);
}

/**
 * The media type of a request body other than JSON; undefined for JSON. A route that accepts only one media type and no JSON takes any Content-Type as that
 * type; otherwise the Content-Type decides.
 * @throws AppError UnsupportedMediaTypeError if the Content-Type matches none
 */
function uploadOf({ upload = [], body }: AnyRoute, { headers }: IncomingMessage): Upload | undefined {
  const named = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const known = upload.find((type) => type === named);
  if (known !== undefined || body !== undefined || upload.length <= 1)
    return known ?? (body === undefined ? upload[0] : undefined);
  throw new AppError('UnsupportedMediaTypeError', `the content type must be one of ${upload.join(', ')}`);
}

/** Refuses a Content-Encoding other than identity with 415 (docs/reference/requests.md#encoding), for every method. */
export function refuseContentEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined) return;
  for (const coding of encoding.split(',')) {
    const name = coding.trim().toLowerCase();
    if (name !== '' && name !== 'identity') {
      throw new AppError('UnsupportedMediaTypeError', 'send the body without a Content-Encoding');
    }
  }
}

/** `refuseContentEncoding` as a middleware. */
export const identityEncoding: RequestHandler = (request, _response, next) => {
  refuseContentEncoding(request);
  next();
};
