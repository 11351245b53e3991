import { workerKey } from '../fuzz/resources';
import { Customer } from '../customer';
import { until } from '../until';
import { claimedByWorker, everything } from './claimed-by-worker';
import { connectTo, newAddress, visit } from './visit';
import { refusal, type World } from './world';

interface TestCall {
  readonly call_id: string;
  readonly websocket_url: string;
  readonly token: string;
}

/** The media port, tokens of browser calls, and listening in. */
export function mediaAttacks(world: () => World): void {
  const subprotocols = (token: string): string[] => ['parley.audio.v1', `parley.token.${token}`];
  const worker = { worker_id: 'attacker-0', capabilities: { ...everything, carriers: ['browser'] } };
  const kept = (call: TestCall): TestCall => {
    world().canaries.set(`media token ${call.call_id}`, call.token);
    return call;
  };
  const testCall = async (): Promise<TestCall> =>
    until('a test call is taken', async () => {
      const { customer } = world();
      const { status, body } = await customer.api.post<TestCall>(`/v1/agents/${customer.agentId}/test-calls`);
      return status === 201 ? kept(body) : undefined;
    });
  const demoCall = async (): Promise<TestCall> => {
    const { customer } = world();
    const { body } = await customer.api.post(`/v1/agents/${customer.agentId}/demo`, { kinds: ['voice'] });
    world().canaries.set('demo of a media token', String(body.token));
    const begun = await visit(world(), `/demo/${String(body.token)}/calls`);
    expect(begun.status).toBe(201);
    const { call_id, websocket_url, token } = begun.body;
    return kept({ call_id: String(call_id), websocket_url: String(websocket_url), token: String(token) });
  };

  it.each([
    ['a test call', testCall],
    ['a call of a demo', demoCall],
  ])(
    'the token of %s is adopted by no worker of another organization, connects once, and is then of no use',
    async (_, start) => {
      const { operator, stranger, customer, anonymous } = world();
      const call = await start();
      const foreign = anonymous.as(await workerKey(operator, stranger.organizationId));
      const own = anonymous.as(await workerKey(operator, customer.organizationId));
      const adopt = { ...worker, token: call.token };
      const none = { ...worker, token: 'x'.repeat(call.token.length) };
      const refused = await foreign.post('/v1/worker-jobs/adopt', adopt);
      expect(refusal(refused)).toEqual([404, 'NotFoundError']);
      expect(refused.body).toEqual((await foreign.post('/v1/worker-jobs/adopt', none)).body);
      expect(refusal(await customer.api.post('/v1/worker-jobs/adopt', adopt))).toEqual([403, 'ForbiddenError']);
      // The attempts did not use up the token.
      const line = connectTo(call.websocket_url, subprotocols(call.token));
      await until('the line is ready', () => line.messages.some(({ type }) => type === 'ready'));
      expect(await connectTo(call.websocket_url, subprotocols(call.token)).outcome).toBe(1008);
      expect(refusal(await own.post('/v1/worker-jobs/adopt', adopt))).toEqual([409, 'ConflictError']);
      expect(refusal(await foreign.post('/v1/worker-jobs/adopt', adopt))).toEqual([404, 'NotFoundError']);
      line.socket.send(JSON.stringify({ type: 'hang_up' }));
      expect(await line.outcome).toBe(1000);
      expect(await connectTo(call.websocket_url, subprotocols(call.token)).outcome).toBe(1008);
    },
  );

  it('the media port accepts no other credential, no page of another site, and no other path', async () => {
    const { customer, anonymous } = world();
    const call = await testCall();
    const localAddress = newAddress();
    const { body: demo } = await customer.api.post(`/v1/agents/${customer.agentId}/demo`, {});
    world().canaries.set('demo at the media port', String(demo.token));
    for (const token of [customer.key, String(demo.token), call.call_id, 'x'])
      expect([token, await connectTo(call.websocket_url, subprotocols(token), { localAddress }).outcome]).toEqual([
        token,
        1008,
      ]);
    const elsewhere = { localAddress, headers: { origin: 'https://evil.example' } };
    expect(await connectTo(call.websocket_url, subprotocols(call.token), elsewhere).outcome).toBe(403);
    for (const path of ['/', '/browser/x', '/streams', '/..%2fbrowser'])
      expect([
        path,
        await connectTo(new URL(path, call.websocket_url).href, subprotocols(call.token), { localAddress }).outcome,
      ]).toEqual([path, 404]);
    expect((await anonymous.as(call.token).get('/v1/me')).status).toBe(401);
    // None of these attempts used up the token.
    const line = connectTo(call.websocket_url, subprotocols(call.token));
    await until('the line is ready', () => line.messages.some(({ type }) => type === 'ready'));
    line.socket.close();
  });

  it('an address that guesses tokens is turned away, and takes nothing from callers that share it', async () => {
    const { websocket_url: url, token } = await testCall();
    const localAddress = newAddress();
    const outcomes: number[] = [];
    // The default allows 30 a minute; the attempts may be spread over two windows.
    for (let nth = 0; nth < 70; nth += 1) {
      outcomes.push(await connectTo(url, subprotocols(`guess-${nth}`), { localAddress }).outcome);
    }
    expect(new Set(outcomes)).toEqual(new Set([1008, 1013]));
    expect(outcomes.filter((one) => one === 1008).length).toBeLessThanOrEqual(60);
    const line = connectTo(url, subprotocols(token), { localAddress });
    await until('the line is ready', () => line.messages.some(({ type }) => type === 'ready'));
    line.socket.close();
  });

  describe('listening in on a call with audio', () => {
    let owner: Customer;
    beforeAll(async () => {
      owner = await Customer.create(world().platform);
    });
    afterAll(() => owner?.close());

    it('is possible only with recordings:read of the organization, ends with the key, and takes sound only from the worker of the call', async () => {
      const { operator, anonymous, platform, stranger } = world();
      const ours = await world().holding(['recordings:read'], owner.organizationId);
      const { api: narrow, token: narrowToken } = await world().holding(
        ['calls:read', 'calls:write', 'agents:read'],
        owner.organizationId,
      );
      const key = await workerKey(operator, owner.organizationId);
      const conductor = anonymous.as(key);
      const foreignKey = await workerKey(operator, stranger.organizationId);
      const { jobId, epoch, callId } = await claimedByWorker(owner, conductor, { controls: ['listen', 'live'] });
      const events = [{ type: 'dialing' }, { type: 'answered' }];
      expect((await conductor.post(`/v1/worker-jobs/${jobId}/reports`, { epoch, seq: 1, events })).status).toBe(200);
      let over = false;
      const conducting = (async () => {
        while (!over) {
          await conductor.post('/v1/worker-jobs/heartbeat', {
            worker_id: 'fuzz-0',
            leases: [{ job_id: jobId, epoch }],
          });
          const { body } = await conductor.post<{ commands?: { command_id: string }[] }>('/v1/worker-jobs/commands', {
            ...{ worker_id: 'fuzz-0', wait_seconds: 1 },
          });
          for (const { command_id } of body.commands ?? [])
            await conductor.post(`/v1/worker-jobs/${jobId}/commands/${command_id}/outcome`, {
              epoch,
              outcome: 'performed',
              result: {},
            });
        }
      })();
      const sendAudio = async (bearer: string, sound: Buffer, under = epoch): Promise<number> => {
        const answer = await fetch(`${platform.baseUrls[0] ?? ''}/v1/worker-jobs/${jobId}/live-audio?epoch=${under}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/octet-stream' },
          body: new Uint8Array(sound),
        });
        return answer.status;
      };
      const listenAs = (bearer: string | undefined) =>
        connectTo(`${platform.baseUrls[0]?.replace('http', 'ws') ?? ''}/v1/calls/${callId}/live/audio`, [], {
          headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
        });
      try {
        expect(await listenAs(undefined).outcome).toBe(401);
        expect(await listenAs(narrowToken).outcome).toBe(403);
        expect(await listenAs(key).outcome).toBe(403);
        expect(await listenAs(stranger.key).outcome).toBe(404);
        for (const path of ['live', 'live/audio', 'transcript'])
          expect(refusal(await narrow.get(`/v1/calls/${callId}/${path}`))).toEqual([403, 'ForbiddenError']);
        const listener = listenAs(ours.token);
        await until('listening starts', () => listener.messages.some(({ type }) => type === 'start'));
        const [forged, real] = [Buffer.alloc(3_200, 7), Buffer.alloc(3_200, 9)];
        expect(await sendAudio(foreignKey, forged)).toBe(404);
        expect(await sendAudio(owner.key, forged)).toBe(403);
        expect(await sendAudio(key, forged, epoch + 1)).toBe(409);
        await until('the sound arrives', async () => {
          expect(await sendAudio(key, real)).toBe(200);
          return listener.heard.length > 0;
        });
        expect(listener.heard.every((sound) => sound.equals(real))).toBe(true);
        expect((await world().revoke(ours.keyId)).status).toBe(200);
        expect(await listener.outcome).toBe(1008);
      } finally {
        over = true;
        await conducting;
        await conductor.post(`/v1/worker-jobs/${jobId}/reports`, {
          epoch,
          seq: 2,
          events: [{ type: 'ended', ended_reason: 'callee_hung_up' }],
        });
        await conductor.post(`/v1/worker-jobs/${jobId}/complete`, { epoch });
      }
    });
  });
}
