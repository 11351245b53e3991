import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** One entry per request: method, path and response status. */
  readonly requests: readonly string[];
  /** Holds the next request with this method and path: it is not executed and gets no response until it is released. */
  hold(request: string): HeldRequest;
  /** Makes requests with this method and path fail with 503. @returns a function that ends this */
  refuse(request: string): () => void;
  close(): Promise<void>;
}

export interface HeldRequest {
  /** Resolves when the request has arrived. */
  readonly reached: Promise<void>;
  release(): void;
}

const noSuchKey = Buffer.from('<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code></Error>');

interface Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/**
 * Implements the part of S3 that the store uses: PUT, ranged GET and DELETE of objects. Verifies the Signature Version 4 of each request as AWS documents
 * it.
 */
export async function s3Server(account: Account): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const refused = new Set<string>();
  const held = new Map<string, () => Promise<void>>();
  const answer = (request: IncomingMessage, body: Buffer): { status: number; body?: Buffer } => {
    const { method = '', url = '', headers } = request;
    if (!isSigned(request, body, account)) return { status: 403 };
    const key = (url.split('?')[0] ?? '').slice(1);
    if (method === 'PUT') {
      objects.set(key, body);
      return { status: 200 };
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    const object = objects.get(key);
    if (object === undefined) return { status: 404, body: noSuchKey };
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    return { status: 206, body: object.subarray(Number(from), Number(to) + 1) };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const name = `${request.method} ${(request.url ?? '').split('?')[0]}`;
      const wait = held.get(name);
      held.delete(name);
      const carryOut = (): void => {
        const { status, body } = refused.has(name) ? { status: 503 } : answer(request, Buffer.concat(chunks));
        requests.push(`${name} ${status}`);
        response.writeHead(status, { 'content-length': body?.length ?? 0 }).end(body);
      };
      if (wait === undefined) carryOut();
      else wait().then(carryOut, () => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    hold(name) {
      const [come, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held.set(name, () => {
        come.resolve();
        return gone.promise;
      });
      return { reached: come.promise, release: () => gone.resolve() };
    },
    refuse(name) {
      refused.add(name);
      return () => void refused.delete(name);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer, account: Account): boolean {
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(
    headers.authorization ?? '',
  );
  if (given === null) return false;
  const [, credential = '', signed = '', signature] = given;
  const [keyId, day = '', region, service, end] = credential.split('/');
  if (keyId !== account.accessKeyId || region !== account.region || service !== 's3' || end !== 'aws4_request')
    return false;
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false;
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    payload,
  ].join('\n');
  const scope = `${day}/${account.region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${account.secretAccessKey}`, day), account.region));
  return hmac(key, text).toString('hex') === signature;
}
