import type { WorkerCommand } from '@parley/contract';
import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import type { Worker } from '../src/worker/worker';
import { FakePlatform } from './fake-platform';
import { jobTo } from './jobs';
import { Dialed, workerOf } from './simulated-calls';

const log = createLogger({ service: 'test', level: 'silent' });
const person = '+15005550006';
const silent = '+15005550007';
const complete = ['dialing', 'answered', 'media_started', 'ended'];
/** Long limits for a busy machine: at 100 times the speed of a real call, two seconds of call time are only 20 ms. */
const unhurried = { silence_wait_seconds: 60, no_caller_speech_seconds: 120 };

let platform: FakePlatform;
let carrier: Dialed;
let draining: AbortController;
let workers: Worker[];

beforeEach(async () => {
  [platform, carrier, draining, workers] = [new FakePlatform(), new Dialed(), new AbortController(), []];
  await platform.start();
});

afterEach(async () => {
  platform.letGo();
  await Promise.all(workers.map((worker) => worker.stop()));
  await platform.kill();
});

function startWorker(options: { capacity?: number; speed?: number; organizationId?: string } = {}): Worker {
  const worker = workerOf(platform.url, { ...options, log, seen: carrier, signal: draining.signal });
  workers.push(worker);
  worker.start();
  return worker;
}

const completed = (jobId: string): Promise<true> =>
  eventually(() => (platform.of(jobId, 'complete').length > 0 ? true : undefined));
const reported = (jobId: string, type: string): Promise<true> =>
  eventually(() => (platform.eventsOf(jobId).includes(type) ? true : undefined));
const idle = (worker: Worker): Promise<true> => eventually(() => (worker.live === 0 ? true : undefined));

const compatible = ['groq', 'google', 'mistral', 'openrouter', 'bedrock', 'vllm', 'ollama'];

describe('a claimed call', () => {
  it('is conducted and reported in order, each report with the epoch and the next seq', async () => {
    startWorker({ speed: 10 });
    platform.offer(jobTo(person, 'job_1', { epoch: 7, effective: unhurried }));
    await completed('job_1');
    expect(platform.eventsOf('job_1')).toEqual(complete);
    expect(platform.of('job_1', 'reports').map(({ body }) => [body['epoch'], body['seq']])).toEqual([
      [7, 1],
      [7, 2],
      [7, 3],
      [7, 4],
    ]);
    const [done] = platform.of('job_1', 'complete');
    expect(platform.reported.at(-1)?.route).not.toBe('reports');
    expect(done?.body).toMatchObject({ epoch: 7, classification: 'human' });
    expect((done?.body['transcript'] as { turns: unknown[] }).turns).toHaveLength(6);
  });

  it('is claimed with the worker key, the worker id, its capacity and capabilities', async () => {
    startWorker({ capacity: 3 });
    const claim = await eventually(() => platform.reported.find(({ route }) => route === 'claim'));
    expect(claim.authorization).toBe('Bearer tai_test');
    expect(claim.body).toEqual({
      kinds: ['call'],
      capacity: 3,
      worker_id: 'worker-1',
      wait_seconds: 0,
      capabilities: {
        carriers: ['simulator'],
        modes: ['hosted', 'external_text'],
        engines: ['cascade'],
        providers: {
          stt: ['simulator', 'openai', 'openai_compatible', 'deepgram'],
          llm: [...['simulator', 'openai', 'openai_compatible', 'azure', 'anthropic'], ...compatible],
          tts: ['simulator', 'openai', 'openai_compatible', 'cartesia', 'elevenlabs'],
        },
        tools: ['end_call', 'leave_voicemail', 'send_sms', 'query_knowledge', 'webhook', 'connection'],
        controls: ['say', 'press', 'mute', 'recording', 'hang_up', 'transfer', 'live', 'listen', 'chat'],
      },
    });
  });

  it('is never one above the capacity; a further call is claimed when a slot becomes free', async () => {
    const worker = startWorker({ capacity: 2, speed: 1 });
    platform.offer(...['job_1', 'job_2', 'job_3'].map((jobId) => jobTo(silent, jobId, { leaseSeconds: 0.3 })));
    await Promise.all(['job_1', 'job_2'].map((jobId) => reported(jobId, 'dialing')));
    expect(worker.live).toBe(2);
    expect(platform.jobs.map(({ job_id: jobId }) => jobId)).toEqual(['job_3']);
    platform.lost.add('job_1');
    await reported('job_3', 'dialing');
    expect(platform.reported.filter(({ route }) => route === 'claim').at(-1)?.body['capacity']).toBe(1);
  });
});

describe('the permit to dial', () => {
  it('must be acknowledged before the carrier dials', async () => {
    const acknowledged = Promise.withResolvers<undefined>();
    platform.onRequest = ({ route }) => (route === 'reports' ? acknowledged.promise : undefined);
    startWorker();
    platform.offer(jobTo(person));
    await reported('job_1', 'dialing');
    // The permit has been requested, but not acknowledged: the worker has not dialed.
    expect(carrier.dialed).toEqual([]);
    acknowledged.resolve(undefined);
    await completed('job_1');
    expect(carrier.dialed).toEqual([person]);
  });

  it.each(['canceled', 'completed', 'failed', 'queued'])(
    'is refused if the call is %s: nothing is dialed or reported',
    async (status) => {
      platform.onRequest = ({ route }) =>
        route === 'reports' ? { status: 200, body: { call_status: status, cancel_requested: false } } : undefined;
      const worker = startWorker();
      platform.offer(jobTo(person));
      await reported('job_1', 'dialing');
      await idle(worker);
      expect(carrier.dialed).toEqual([]);
      expect(platform.of('job_1', 'complete')).toEqual([]);
    },
  );

  it('is not used if it contains a cancellation', async () => {
    platform.canceled.add('job_1');
    startWorker();
    platform.offer(jobTo(person));
    await completed('job_1');
    expect(carrier.dialed).toEqual([]);
    expect(platform.of('job_1', 'reports').at(-1)?.body['events']).toEqual([
      { type: 'failed', ended_reason: 'canceled' },
    ]);
  });
});

describe('reports that fail', () => {
  it.each<[string, { status: number; body: unknown } | 'cut']>([
    ['500', { status: 500, body: { error: 'internal_error' } }],
    ['503', { status: 503, body: { error: 'internal_error' } }],
    ['429', { status: 429, body: { error: 'rate_limited' } }],
    ['401', { status: 401, body: { error: 'unauthorized' } }],
    ['403', { status: 403, body: { error: 'forbidden' } }],
    ['423', { status: 423, body: { error: 'locked' } }],
    ['404 of a proxy', { status: 404, body: '<html>' }],
    ['a broken connection', 'cut'],
  ])('%s: are repeated with the same seq and content, while the call is dialed once', async (_, fault) => {
    const seen = new Map<string, number>();
    platform.onRequest = ({ route, body }) => {
      if (route !== 'reports' && route !== 'complete') return undefined;
      const message = JSON.stringify([route, body['seq']]);
      seen.set(message, (seen.get(message) ?? 0) + 1);
      return seen.get(message) === 1 ? fault : undefined;
    };
    startWorker();
    platform.offer(jobTo(person, 'job_1', { effective: unhurried }));
    await eventually(() => (platform.of('job_1', 'complete').length === 2 ? true : undefined));
    expect(platform.eventsOf('job_1')).toEqual(complete);
    const reports = platform.of('job_1', 'reports').map(({ body }) => JSON.stringify(body));
    expect(reports).toHaveLength(8);
    expect(new Set(reports).size).toBe(4);
    expect(carrier.dialed).toEqual([person]);
  });

  it('are repeated until a platform that was killed during the call has restarted', async () => {
    startWorker();
    let restarted: Promise<void> | undefined;
    platform.onRequest = ({ body }) => {
      const [event] = (body['events'] ?? []) as { type: string }[];
      if (event?.type !== 'answered' || restarted !== undefined) return undefined;
      restarted = platform.kill().then(() => platform.start());
      return 'cut';
    };
    platform.offer(jobTo(person, 'job_1', { effective: unhurried }));
    await completed('job_1');
    await restarted;
    expect(platform.eventsOf('job_1')).toEqual(complete);
    expect(carrier.dialed).toEqual([person]);
  });
});

describe('an unavailable platform', () => {
  it('does not end calls: their reports follow later, in order and with age_ms', async () => {
    let away = false;
    platform.onRequest = ({ route, body }) => {
      const [event] = (body['events'] ?? []) as { type: string }[];
      away ||= event?.type === 'answered';
      return away && route !== 'claim' ? { status: 503, body: { error: 'internal_error' } } : undefined;
    };
    const worker = startWorker({ speed: 20 });
    platform.offer(jobTo(person, 'job_1', { leaseSeconds: 0.3, effective: unhurried }));
    // The report of the end waits for that of the answer, which is repeated for longer than the call lasts.
    await eventually(() => {
      const answered = platform.of('job_1', 'reports').filter(({ body }) => body['seq'] === 2);
      const [event] = (answered.at(-1)?.body['events'] ?? []) as { age_ms?: number }[];
      return (event?.age_ms ?? 0) > 5_000 ? true : undefined;
    });
    expect(worker.live).toBe(1);
    away = false;
    platform.onRequest = () => undefined;
    await completed('job_1');
    await idle(worker);
    expect(platform.eventsOf('job_1')).toEqual(complete);
    expect(carrier.dialed).toEqual([person]);
    expect(carrier.hungUp).toEqual([]);
    const last = platform.of('job_1', 'reports').slice(-3);
    const [answered = 0, started = 0, ended = 0] = last.map(({ body }) => {
      const [event] = body['events'] as { age_ms?: number }[];
      return event?.age_ms;
    });
    expect(answered).toBeGreaterThan(5_000);
    expect(started).toBeGreaterThan(4_500);
    expect(ended).toBeLessThan(answered - 500);
  });
});

describe('fencing by the lease', () => {
  it.each(['reports', 'complete'])('409 on %s: the call is hung up and abandoned', async (refused) => {
    platform.onRequest = ({ route, body }) => {
      const stale = route === refused && (route === 'complete' || body['seq'] === 3);
      return stale ? { status: 409, body: { error: 'ConflictError' } } : undefined;
    };
    const worker = startWorker();
    platform.offer(jobTo(person, 'job_1', { effective: unhurried }));
    await eventually(() =>
      platform.reported.some(({ route, body }) => route === refused && body['seq'] !== 1) ? true : undefined,
    );
    await idle(worker);
    if (refused === 'reports') {
      expect(carrier.hungUp).toEqual([person]);
      expect(platform.of('job_1', 'complete')).toEqual([]);
      expect(platform.eventsOf('job_1')).toEqual(['dialing', 'answered', 'media_started']);
    } else {
      expect(platform.of('job_1', 'complete')).toHaveLength(1);
    }
  });

  it.each([
    [400, 'BadRequestError'],
    [404, 'NotFoundError'],
    [409, 'of_something_else'],
  ])('%i %s to a report: it is not repeated, and the call continues', async (status, error) => {
    platform.onRequest = ({ route, body }) =>
      route === 'reports' && body['seq'] === 2 ? { status, body: { error } } : undefined;
    const worker = startWorker();
    platform.offer(jobTo(person, 'job_1', { effective: unhurried }));
    await completed('job_1');
    await idle(worker);
    expect(carrier.hungUp).toEqual([]);
    expect(platform.of('job_1', 'reports').map(({ body }) => body['seq'])).toEqual([1, 2, 3, 4]);
  });

  it('404 to the completion: it is not repeated, and the slot becomes free', async () => {
    platform.onRequest = ({ route }) =>
      route === 'complete' ? { status: 404, body: { error: 'NotFoundError' } } : undefined;
    const worker = startWorker();
    platform.offer(jobTo(person, 'job_1', { effective: unhurried }));
    await completed('job_1');
    await idle(worker);
    expect(platform.of('job_1', 'complete')).toHaveLength(1);
  });

  it('400 to the completion: it is repeated once without a transcript, and the slot becomes free', async () => {
    platform.onRequest = ({ route }) =>
      route === 'complete' ? { status: 400, body: { error: 'BadRequestError' } } : undefined;
    const worker = startWorker();
    platform.offer(jobTo(person, 'job_1', { effective: unhurried }));
    await completed('job_1');
    await idle(worker);
    const [first, second, ...more] = platform.of('job_1', 'complete').map(({ body }) => body);
    expect(more).toEqual([]);
    expect(first).not.toMatchObject({ transcript: { turns: [] } });
    expect(second).toMatchObject({ transcript: { turns: [] } });
  });

  it('404 to the request for the permit: nothing is dialed', async () => {
    platform.onRequest = ({ route }) =>
      route === 'reports' ? { status: 404, body: { error: 'NotFoundError' } } : undefined;
    const worker = startWorker();
    platform.offer(jobTo(person));
    await reported('job_1', 'dialing');
    await idle(worker);
    expect(carrier.dialed).toEqual([]);
  });

  it('a lost lease in a heartbeat: the worker hangs up and reports nothing more', async () => {
    const worker = startWorker({ speed: 20 });
    platform.offer(jobTo(silent, 'job_1', { leaseSeconds: 0.3, effective: { no_caller_speech_seconds: 120 } }));
    await reported('job_1', 'media_started');
    const before = platform.of('job_1', 'reports').length;
    platform.lost.add('job_1');
    await idle(worker);
    expect(carrier.hungUp).toEqual([silent]);
    expect(platform.of('job_1', 'reports')).toHaveLength(before);
    expect(platform.of('job_1', 'complete')).toEqual([]);
  });

  it('a claim of the same job with a later epoch replaces the earlier call', async () => {
    const worker = startWorker({ speed: 20 });
    platform.offer(jobTo(silent, 'job_1', { epoch: 1, effective: { no_caller_speech_seconds: 120 } }));
    await reported('job_1', 'media_started');
    platform.offer(jobTo(person, 'job_1', { epoch: 2 }));
    await completed('job_1');
    await idle(worker);
    expect(carrier.hungUp).toEqual([silent]);
    expect(platform.of('job_1', 'complete').map(({ body }) => body['epoch'])).toEqual([2]);
  });
});

describe('heartbeats', () => {
  it('renew all live leases with one request', async () => {
    startWorker({ speed: 1 });
    platform.offer(
      jobTo(silent, 'job_1', { leaseSeconds: 0.6 }),
      jobTo(silent, 'job_2', { leaseSeconds: 0.6, epoch: 2 }),
    );
    await eventually(() => (platform.of('', 'heartbeat').length >= 3 ? true : undefined));
    expect(platform.of('', 'heartbeat').at(-1)?.body).toEqual({
      worker_id: 'worker-1',
      leases: [
        { job_id: 'job_1', epoch: 1 },
        { job_id: 'job_2', epoch: 2 },
      ],
    });
  });

  it('that fail do not end calls, and are repeated soon', async () => {
    let failed = 0;
    platform.onRequest = ({ route }) => {
      if (route !== 'heartbeat' || failed === 2) return undefined;
      failed += 1;
      return failed === 1 ? { status: 503, body: {} } : 'cut';
    };
    const worker = startWorker({ speed: 1 });
    platform.offer(jobTo(silent, 'job_1', { leaseSeconds: 0.3 }));
    await eventually(() => (platform.of('', 'heartbeat').length >= 3 ? true : undefined));
    expect(failed).toBe(2);
    expect(worker.live).toBe(1);
  });

  it('return a cancellation: the worker hangs up and completes the call', async () => {
    startWorker({ speed: 20 });
    platform.offer(jobTo(silent, 'job_1', { leaseSeconds: 0.3, effective: { no_caller_speech_seconds: 120 } }));
    await reported('job_1', 'media_started');
    platform.canceled.add('job_1');
    await completed('job_1');
    expect(carrier.hungUp).toEqual([silent]);
    expect(platform.of('job_1', 'reports').at(-1)?.body['events']).toMatchObject([
      { type: 'ended', ended_reason: 'canceled' },
    ]);
  });
});

describe('claiming', () => {
  it('continues after refusals, broken connections and errors of the platform', async () => {
    const faults = [{ status: 503, body: {} }, 'cut', { status: 401, body: {} }] as const;
    let claims = 0;
    platform.onRequest = ({ route }) => (route === 'claim' ? faults[claims++] : undefined);
    const worker = startWorker();
    await eventually(() => (claims > faults.length ? true : undefined));
    platform.offer(jobTo(person));
    await completed('job_1');
    expect(await worker.ready()).toBeUndefined();
  });

  it('names SERVICE_ORGANIZATION_ID; with a key of another organization the worker is not ready, reports the reason and gets no call', async () => {
    const mine = 'org_00000000000000000000000001';
    platform.onRequest = ({ route, organizationId }) =>
      route === 'claim' && organizationId !== mine ? { status: 403, body: { error: 'ForbiddenError' } } : undefined;
    const stranger = startWorker({ organizationId: 'org_00000000000000000000000002' });
    platform.offer(jobTo(person));
    expect(await eventually(async () => (await stranger.degraded())['platform'])).toContain('SERVICE_ORGANIZATION_ID');
    expect(await stranger.ready()).toContain('SERVICE_ORGANIZATION_ID');
    expect([stranger.live, platform.of('job_1', 'reports')]).toEqual([0, []]);
    const own = startWorker({ organizationId: mine });
    await completed('job_1');
    expect(await own.ready()).toBeUndefined();
  });

  it('makes the worker ready after the first answer of the platform, and degraded while it fails later', async () => {
    platform.onRequest = () => ({ status: 401, body: {} });
    const worker = startWorker();
    expect(await worker.ready()).toBeDefined();
    await eventually(() => (platform.reported.length >= 2 ? true : undefined));
    expect(await worker.ready()).toBeDefined();
    platform.onRequest = () => undefined;
    await eventually(async () => ((await worker.ready()) === undefined ? true : undefined));
    expect(await worker.degraded()).toEqual({ platform: undefined });
    platform.onRequest = () => ({ status: 503, body: {} });
    platform.offer();
    await eventually(async () => (await worker.degraded())['platform']);
    expect(await worker.ready()).toBeUndefined();
  });

  it('skips a malformed job and conducts the other one of the same answer', async () => {
    startWorker();
    const broken = { ...jobTo(person, 'job_broken'), call: null } as unknown;
    platform.onRequest = ({ route }) => {
      if (route !== 'claim' || platform.reported.filter((one) => one.route === 'claim').length > 1) return undefined;
      return { status: 200, body: { jobs: [broken, jobTo(person, 'job_1')], token_keys: [] } };
    };
    await completed('job_1');
    expect(platform.of('job_broken', 'reports')).toEqual([]);
  });
});

describe('draining', () => {
  it('claims no more calls and finishes the live ones', async () => {
    const worker = startWorker({ speed: 100 });
    platform.offer(...['job_1', 'job_2'].map((jobId) => jobTo(person, jobId, { effective: unhurried })));
    await Promise.all([reported('job_1', 'answered'), reported('job_2', 'answered')]);
    draining.abort();
    const stopped = worker.stop();
    platform.offer();
    const claims = platform.reported.filter(({ route }) => route === 'claim').length;
    await stopped;
    expect(platform.reported.filter(({ route }) => route === 'claim')).toHaveLength(claims);
    for (const jobId of ['job_1', 'job_2']) {
      expect(platform.eventsOf(jobId)).toEqual(complete);
      expect(platform.of(jobId, 'complete')).toHaveLength(1);
    }
    expect(worker.live).toBe(0);
  });

  it('conducts a call that an open claim still returns', async () => {
    const worker = startWorker();
    await eventually(() =>
      platform.reported.filter(({ route }) => route === 'claim').length === 2 ? true : undefined,
    );
    draining.abort();
    const stopped = worker.stop();
    platform.offer(jobTo(person));
    await stopped;
    expect(platform.of('job_1', 'complete')).toHaveLength(1);
  });

  it('ends with the open long poll if no call is live', async () => {
    const worker = startWorker();
    await eventually(() =>
      platform.reported.filter(({ route }) => route === 'claim').length === 2 ? true : undefined,
    );
    draining.abort();
    platform.offer();
    await worker.stop();
    expect(worker.live).toBe(0);
  });
});

describe('commands for a call', () => {
  const command = (type: string, fields: object = {}, change: Partial<WorkerCommand> = {}): WorkerCommand => ({
    command_id: `cmd_${type}`,
    job_id: 'job_1',
    epoch: 1,
    type,
    fields: { ...fields },
    ...change,
  });
  const outcomes = (jobId = 'job_1') => platform.of(jobId, 'commands').map(({ body }) => body);
  const talking = async (): Promise<void> => {
    startWorker({ speed: 10 });
    platform.offer(jobTo(silent, 'job_1', { effective: unhurried, leaseSeconds: 0.3 }));
    await reported('job_1', 'media_started');
  };

  it('are performed: say adds its text to the transcript, and hang_up ends the call as agent_hung_up', async () => {
    await talking();
    platform.command(command('say', { text: 'One moment please.' }));
    await eventually(() => outcomes().length > 0 || undefined);
    expect(outcomes()).toEqual([{ epoch: 1, outcome: 'performed' }]);
    platform.command(command('say', { text: 'Still there?' }, { command_id: 'cmd_2' }));
    // It is said after the first text.
    await eventually(() => JSON.stringify(platform.of('job_1', 'turns')).includes('Still there?') || undefined);
    platform.command(command('hang_up'));
    await completed('job_1');
    const [done] = platform.of('job_1', 'complete');
    expect(JSON.stringify(done?.body['transcript'])).toContain('One moment please.');
    const ended = platform.of('job_1', 'reports').flatMap(({ body }) => body['events'] as { ended_reason?: string }[]);
    expect(ended.at(-1)?.ended_reason).toBe('agent_hung_up');
  });

  it('are performed once even if they are sent again, and their outcome is repeated until it arrives', async () => {
    await talking();
    const say = command('say', { text: 'Only once.' });
    let refusing = 3;
    platform.onRequest = ({ route, jobId }) =>
      route === 'commands' && jobId !== '' && (refusing -= 1) > 0 ? { status: 503, body: {} } : undefined;
    platform.command(say, say);
    await eventually(() => outcomes().length >= 2 || undefined);
    platform.command(say);
    await eventually(() => outcomes().length >= 3 || undefined);
    platform.command(command('hang_up'));
    await completed('job_1');
    const [done] = platform.of('job_1', 'complete');
    expect(JSON.stringify(done?.body['transcript']).split('Only once.')).toHaveLength(2);
  });

  it.each<[string, WorkerCommand, string]>([
    ['of another epoch', command('say', { text: 'No.' }, { epoch: 2 }), 'call_over'],
    ['for a call that the worker does not conduct', command('say', { text: 'No.' }, { job_id: 'job_9' }), 'call_over'],
    ['of an unknown type', command('dance'), 'unavailable'],
  ])('%s are refused', async (_, given, refusal) => {
    await talking();
    platform.command(given);
    await eventually(() => outcomes(given.job_id).length > 0 || undefined);
    expect(outcomes(given.job_id)).toEqual([
      { epoch: given.epoch, outcome: 'refused', refusal, detail: expect.any(String) },
    ]);
  });

  it('are refused as busy if ten texts are queued', async () => {
    await talking();
    platform.command(
      ...Array.from({ length: 12 }, (_, n) => command('say', { text: `Text ${n}.` }, { command_id: `cmd_${n}` })),
    );
    await eventually(() => outcomes().length === 12 || undefined);
    expect(outcomes().filter(({ outcome }) => outcome === 'refused')).toEqual(
      expect.arrayContaining([expect.objectContaining({ refusal: 'busy' })]),
    );
  });

  it('are polled by one request at a time, and only while there are calls', async () => {
    const worker = startWorker();
    await eventually(() => platform.reported.find(({ route }) => route === 'claim'));
    expect(platform.of('', 'commands')).toEqual([]);
    platform.offer(jobTo(silent, 'job_1', { effective: unhurried }), jobTo(silent, 'job_2', { effective: unhurried }));
    await Promise.all(['job_1', 'job_2'].map((jobId) => reported(jobId, 'media_started')));
    expect(platform.of('', 'commands')).toHaveLength(1);
    platform.command(command('hang_up'), command('hang_up', {}, { job_id: 'job_2', command_id: 'cmd_2' }));
    await idle(worker);
  });
});
