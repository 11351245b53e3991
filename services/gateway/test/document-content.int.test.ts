import { randomBytes } from 'node:crypto';
import { limits } from '@parley/contract';
import { notFound } from '@parley/errors';
import { newId } from '@parley/runtime';
import { eventually, SlowClient } from '@parley/testing';
import { organization } from './fake-services';
import { TestGateway } from './test-gateway';

const size = limits.documentPartBytes;
const most = limits.documentBytes;

describe('the content of a document', () => {
  let gateway: TestGateway;
  let documentId: string;
  let head: string[];

  beforeAll(async () => (gateway = await TestGateway.start()));
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.services.received.length = 0;
    documentId = newId('doc');
    const authorization = `Authorization: Bearer ${gateway.services.token()}`;
    head = [`PUT /v1/knowledge-documents/${documentId}/content HTTP/1.1`, 'Host: a', authorization];
  });

  const begin = (headers: string[], bytes: Buffer): Promise<SlowClient> =>
    SlowClient.send(gateway.url, [...head, 'Content-Type: text/plain', ...headers], bytes);
  const put = (body: Buffer) =>
    gateway.request('PUT', `/v1/knowledge-documents/${documentId}/content`, {
      token: gateway.services.token(),
      headers: { 'content-type': 'application/pdf' },
      body,
    });
  const requestsOf = (rpc: string) => gateway.services.callsOf(rpc).map(({ request }) => request);
  const parts = () => requestsOf('putDocumentPart');
  const uploadId = (): unknown => parts()[0]?.['uploadId'];

  it.each([1, size - 1, size, size + 1, most])(
    'of %d bytes is passed on in parts of at most 64 KiB, and then completed',
    async (bytes) => {
      const content = randomBytes(bytes);
      expect((await put(content)).status).toBe(200);
      const sent = parts();
      const upload = { organizationId: organization, documentId, uploadId: uploadId() };
      expect(sent).toEqual(sent.map((_, part) => expect.objectContaining({ ...upload, part }) as unknown));
      const contents = sent.map((one) => one['content'] as Buffer);
      expect(contents.every(({ length }) => length <= size)).toBe(true);
      expect(Buffer.concat(contents).equals(content)).toBe(true);
      const completed = { ...upload, mediaType: 'application/pdf', parts: Math.ceil(bytes / size) };
      expect(requestsOf('putDocumentContent')).toEqual([completed]);
      expect(requestsOf('dropDocumentParts')).toEqual([]);
    },
  );

  it('without bytes has no parts', async () => {
    await put(Buffer.alloc(0));
    expect([parts(), requestsOf('putDocumentContent')]).toEqual([[], [expect.objectContaining({ parts: 0 })]]);
  });

  it('is passed on while it arrives, and dropped if it breaks off', async () => {
    const client = await begin([`Content-Length: ${3 * size}`], Buffer.alloc(size + 1, 'x'));
    await eventually(() => (parts().length === 1 ? true : undefined));
    client.leave();
    await eventually(() => (requestsOf('dropDocumentParts').length === 1 ? true : undefined));
    expect(requestsOf('dropDocumentParts')).toEqual([
      { organizationId: organization, documentId, uploadId: uploadId() },
    ]);
    expect(requestsOf('putDocumentContent')).toEqual([]);
  });

  it('above the limit is 413, and what was passed on is dropped', async () => {
    const chunk = Buffer.alloc(most + 1, 'x');
    const head = Buffer.from(`${chunk.length.toString(16)}\r\n`);
    const client = await begin(['Transfer-Encoding: chunked'], Buffer.concat([head, chunk]));
    expect(await client.answer()).toEqual([413, 'PayloadTooLargeError']);
    client.leave();
    await eventually(() => (requestsOf('dropDocumentParts').length === 1 ? true : undefined));
    expect(requestsOf('putDocumentContent')).toEqual([]);
  });

  it('of a document that does not exist is refused with its first part', async () => {
    const absent = { knowledge: { putDocumentPart: () => Promise.reject(notFound('document')) } };
    await gateway.services.withOverrides(absent, async () => {
      expect((await put(randomBytes(3 * size))).status).toBe(404);
    });
    expect([parts().length, requestsOf('putDocumentContent'), requestsOf('dropDocumentParts')]).toEqual([1, [], []]);
  });
});
