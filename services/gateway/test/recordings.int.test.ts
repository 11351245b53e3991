import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { limits } from '@parley/contract';
import { ControlState } from '@parley/proto/auth';
import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { organization } from './fake-services';
import { TestGateway } from './test-gateway';

const sha256 = 'ab'.repeat(32);
const etag = `"${sha256}"`;
const pieceBytes = 1_000;

describe('recordings', () => {
  let gateway: TestGateway;
  let token: string;
  const callId = newId('call');
  const path = `/v1/calls/${callId}/recording/audio`;
  const sound = randomBytes(2_500);

  beforeAll(async () => {
    gateway = await TestGateway.start();
    token = gateway.services.token();
    gateway.services.overrides = {
      telephony: {
        // Returns at most `pieceBytes` per call.
        readRecordingAudio: async ({ from, most }) => ({
          mediaType: 'audio/wav',
          size: String(sound.length),
          sha256,
          content: sound.subarray(Number(from), Math.min(Number(from) + Math.min(most, pieceBytes), sound.length)),
        }),
      },
    };
  });
  afterAll(() => gateway.stop());

  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(gateway.url + path, { method, headers: { authorization: `Bearer ${token}`, ...headers } });

  it('are sent completely, with the headers that players need to request ranges', async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': '2500',
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      etag,
    });
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(Buffer.from(await answer.arrayBuffer()).equals(sound)).toBe(true);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-999', 0, 1_000],
    ['bytes=999-1001', 999, 1_002],
    ['bytes=2400-', 2_400, 2_500],
    ['bytes=-1', 2_499, 2_500],
    ['bytes=1-9999', 1, 2_500],
  ])('answers 206 with the bytes of the range %s', async (range, from, to) => {
    const answer = await ask({ range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/2500`);
    expect(answer.headers.get('content-length')).toBe(String(to - from));
    expect(Buffer.from(await answer.arrayBuffer()).equals(sound.subarray(from, to))).toBe(true);
  });

  it.each([
    ['beyond the end', { range: 'bytes=2500-' }],
    ['whose end is before its start', { range: 'bytes=5-4' }],
    ['with several parts', { range: 'bytes=0-1,5-6' }],
    ['that is malformed', { range: 'bytes=x' }],
    ['with an If-Range that does not match', { range: 'bytes=0-1', 'if-range': '"another"' }],
  ])('answers 200 with the whole recording to a range %s', async (_what, headers: Record<string, string>) => {
    const answer = await ask(headers);
    expect([answer.status, answer.headers.get('content-range')]).toEqual([200, null]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(sound)).toBe(true);
  });

  it('answers 206 to a range with a matching If-Range', async () => {
    const answer = await ask({ range: 'bytes=0-1', 'if-range': etag });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, 'bytes 0-1/2500']);
  });

  it('accept format=wav, and answer 400 to other formats', async () => {
    const asked = async (query: string) => {
      const before = gateway.services.callsOf('readRecordingAudio').length;
      const { status } = await gateway.request('GET', `${path}${query}`, { token });
      const formats = gateway.services.callsOf('readRecordingAudio').slice(before);
      return [status, ...new Set(formats.map(({ request }) => request.format))];
    };
    expect(await asked('')).toEqual([200, '']);
    expect(await asked('?format=wav')).toEqual([200, 'wav']);
    // The existence of the recording is checked before the query.
    expect(await asked('?format=mp3')).toEqual([400, '']);
  });

  it('HEAD answers with the headers of GET and reads no audio', async () => {
    const before = gateway.services.callsOf('readRecordingAudio').length;
    const answer = await ask({}, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), answer.headers.get('etag')]).toEqual([
      200,
      '2500',
      etag,
    ]);
    expect(await answer.text()).toBe('');
    const asked = gateway.services.callsOf('readRecordingAudio').slice(before);
    expect(asked.map(({ request }) => request.most)).toEqual([0]);
  });

  it('answer 405 to other methods than GET and HEAD', async () => {
    const here = await gateway.request('POST', path, { token });
    expect([here.status, here.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['no_such_parameter=1', 'organization_id=', 'organization_id[]=x'])(
    'answer 400 to the query %s',
    async (query) => {
      const answer = await gateway.request('GET', `${path}?${query}`, { token });
      expect([answer.status, answer.body.error]).toEqual([400, 'BadRequestError']);
    },
  );

  it('require the scope recordings:read', async () => {
    const poor = gateway.services.token({ scopes: ['calls:read'] });
    expect((await gateway.request('GET', path, { token: poor })).status).toBe(403);
  });

  it('the connection is aborted if the rest of the audio cannot be read', async () => {
    const failing = {
      telephony: {
        readRecordingAudio: async ({ from, most }: { from: string; most: number }) => {
          if (from !== '0') throw new Error('the store is away');
          return {
            mediaType: 'audio/wav',
            size: '2500',
            sha256,
            content: sound.subarray(0, Math.min(most, pieceBytes)),
          };
        },
      },
    };
    await gateway.services.withOverrides(failing, async () => {
      const answer = await ask();
      expect(answer.status).toBe(200);
      await expect(answer.arrayBuffer()).rejects.toThrow();
    });
  });

  it('the connection is aborted if the key is revoked during the download', async () => {
    const keyId = newId('key');
    const reader = gateway.services.token({ keyId });
    const other = gateway.services.token();
    const revoking = {
      telephony: {
        readRecordingAudio: async ({ from, most }: { from: string; most: number }) => {
          if (from !== '0') {
            gateway.services.controlState = ControlState.fromPartial({ epoch: '2', revokedKeyIds: [keyId] });
            await eventually(async () =>
              (await gateway.request('GET', '/v1/events', { token: reader })).status === 401 ? true : undefined,
            );
          }
          const content = sound.subarray(Number(from), Number(from) + Math.min(most, pieceBytes));
          return { mediaType: 'audio/wav', size: '2500', sha256, content };
        },
      },
    };
    await gateway.services.withOverrides(revoking, async () => {
      const answer = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${reader}` } });
      expect(answer.status).toBe(200);
      await expect(answer.arrayBuffer()).rejects.toThrow();
      const another = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${other}` } });
      expect((await another.arrayBuffer()).byteLength).toBe(2_500);
    });
  });

  it('no more audio is read from telephony for a client that does not receive', async () => {
    const pieces = 256;
    const piece = Buffer.alloc(limits.recordingPartBytes);
    const endless = {
      telephony: {
        readRecordingAudio: async ({ most }: { most: number }) => ({
          mediaType: 'audio/wav',
          size: String(pieces * piece.length),
          sha256,
          content: piece.subarray(0, most),
        }),
      },
    };
    await gateway.services.withOverrides(endless, async () => {
      const before = gateway.services.callsOf('readRecordingAudio').length;
      const read = () => gateway.services.callsOf('readRecordingAudio').length - before;
      const { port, host } = new URL(gateway.url);
      const socket = net.connect(Number(port), '127.0.0.1');
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      // A few pieces fit into the buffers of the connection; after that no more are requested, regardless of other requests.
      await eventually(() => (read() > 2 ? true : undefined));
      for (let served = 0; served < 300; served += 1) await ask({}, 'HEAD');
      expect(read() - 300).toBeLessThan(pieces / 4);
      socket.destroy();
    });
  });

  it('a part that a worker uploads is forwarded unchanged with its number, epoch and job; 413 and 400 if invalid', async () => {
    const worker = gateway.services.token({ kind: 'hosted', organizationId: '', scopes: ['worker_jobs:heartbeat'] });
    const jobId = newId('job');
    const send = (body: Buffer, query = '?epoch=7') =>
      gateway.request('PUT', `/v1/worker-jobs/${jobId}/recording/parts/3${query}`, {
        token: worker,
        headers: { 'content-type': 'application/octet-stream' },
        body,
      });
    const part = randomBytes(limits.recordingPartBytes);
    expect((await send(part)).status).toBe(200);
    const [received] = gateway.services.callsOf('putRecordingPart').slice(-1);
    expect(received?.request).toMatchObject({ organizationId: '', jobId, part: '3', epoch: '7' });
    expect(part.equals(received?.request.content as Buffer)).toBe(true);
    const large = await send(Buffer.concat([part, Buffer.alloc(1)]));
    expect([large.status, large.body.error]).toEqual([413, 'PayloadTooLargeError']);
    const wrong = await send(part, '?epoch=x');
    expect([wrong.status, wrong.body.errors]).toEqual([400, [expect.objectContaining({ path: 'epoch' })]]);
  });

  it('a customer’s gateway can upload parts of recordings of its organization', async () => {
    const answer = await gateway.request('PUT', `/v1/gateway/calls/${callId}/recording/parts/1`, {
      token: gateway.services.gatewayToken(),
      body: Buffer.from('ab'),
    });
    expect(answer.status).toBe(200);
    const [received] = gateway.services.callsOf('putGatewayRecordingPart').slice(-1);
    expect(received?.request).toMatchObject({ organizationId: organization, callId, part: '1' });
  });
});
