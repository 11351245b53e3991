/** A new organization, and the data that the console checks create in it over REST, like any client. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevelopmentKeys } from '../../platform/accounts.mts';
import { Rest, text, type Json } from '../../platform/rest.mts';

export interface Organization {
  readonly organizationId: string;
  readonly projectId: string;
  readonly key: string;
  readonly rest: Rest;
}

export async function emptyOrganization({
  base_url: url,
  operator_key: operatorKey,
}: DevelopmentKeys): Promise<Organization> {
  const operator = new Rest(url, operatorKey);
  const organizationId = text(
    await operator.post('/v1/organizations', { name: 'Nordlicht Dental' }),
    'organization_id',
  );
  const project = await operator.post(`/v1/organizations/${organizationId}/projects`, { name: 'Practice Mitte' });
  const body = { organization_id: organizationId, name: 'console', scopes: ['all'] };
  const key = text(await operator.post('/v1/api-keys', body), 'token');
  return { organizationId, projectId: text(project, 'project_id'), key, rest: new Rest(url, key) };
}

/** Creates a key with these scopes only. */
export async function keyWith({ rest, organizationId }: Organization, scopes: readonly string[]): Promise<string> {
  return text(await rest.post('/v1/api-keys', { organization_id: organizationId, name: 'reader', scopes }), 'token');
}

/** Speech times per speaker, in milliseconds from the answer. */
export const spoken = [
  ['agent', 0, 2_600, 'Good morning, this is the practice of Doctor Lind. How can I help?'],
  ['callee', 3_100, 5_200, 'Hello, I would like to move my appointment to Thursday.'],
  ['agent', 6_000, 8_600, 'Of course. On Thursday there is nine thirty or a quarter past two.'],
  ['callee', 9_000, 10_100, 'A quarter past two, please.'],
  ['agent', 10_900, 12_400, 'Thursday, a quarter past two. It is done. See you then.'],
] as const;

/** How long the recording is. */
export const recordedMs = 13_000;

const transcript = {
  language: 'en',
  turns: spoken.map(([speaker, started_ms, ended_ms, said], n) => ({
    turn_id: `t${n}`,
    speaker,
    text: said,
    started_ms,
    ended_ms,
    ...(n === 2 && {
      latency: {
        end_of_turn_hold_ms: 320,
        transcript_ms: 90,
        model_first_ms: 240,
        speech_first_ms: 130,
        total_ms: 800,
      },
      tool_calls: [
        {
          tool_call_id: 'tc_1',
          name: 'find_appointments',
          arguments: '{"day":"Thursday"}',
          result: '{"free":["09:30","14:15"]}',
          outcome: 'succeeded',
          duration_ms: 184,
        },
      ],
    }),
    ...(n === 4 && {
      latency: { end_of_turn_hold_ms: 520, model_first_ms: 410, speech_first_ms: 140, total_ms: 1_180 },
    }),
  })),
};

/** Creates a call conducted by a worker of the organization, with a two-sided recording that has sound where the transcript has text. */
export async function recordedCall(
  organization: Organization,
  { base_url: url, operator_key: operatorKey }: DevelopmentKeys,
): Promise<string> {
  const { rest, organizationId } = organization;
  const [agent] = listOf(await rest.get('/v1/agents'));
  const [number] = listOf(await rest.get('/v1/numbers'));
  const agentId = text(agent ?? {}, 'agent_id');
  await rest.patch(`/v1/agents/${agentId}`, { recording_enabled: true });
  const scopes = ['worker_jobs:claim', 'worker_jobs:heartbeat', 'component_credentials:lease'];
  const minted = await new Rest(url, operatorKey).post('/v1/api-keys', {
    organization_id: organizationId,
    name: 'worker',
    scopes,
  });
  const workerKey = text(minted, 'token');
  const worker = new Rest(url, workerKey);
  const claim = async (): Promise<Json | undefined> =>
    listOf(
      await worker.post('/v1/worker-jobs/claim', {
        kinds: ['call'],
        capacity: 1,
        worker_id: 'console-0',
        wait_seconds: 0,
      }),
      'jobs',
    )[0];
  await rest.patch(`/v1/numbers/${text(number ?? {}, 'number_id')}`, { dialer: 'own' });
  // The claim declares the worker's capabilities. Without it no call is accepted.
  await claim();
  await rest.post('/v1/calls', { agent_id: agentId, to: '+15005550006' });
  await rest.patch(`/v1/numbers/${text(number ?? {}, 'number_id')}`, { dialer: 'hosted' });
  let job = await claim();
  while (job === undefined) {
    await sleep(100);
    job = await claim();
  }
  const path = `/v1/worker-jobs/${text(job, 'job_id')}`;
  const { epoch, call } = job as { epoch: number; call: { call_id: string } };
  await worker.post(`${path}/reports`, { epoch, seq: 1, events: [{ type: 'dialing' }, { type: 'answered' }] });
  const sound = stereo();
  const put = await fetch(`${url}${path}/recording/parts/1?epoch=${epoch}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${workerKey}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(sound),
  });
  if (!put.ok) throw new Error(`the recording was not taken: ${put.status}`);
  const sha256 = createHash('sha256').update(sound).digest('hex');
  await worker.post(`${path}/recording/complete`, {
    epoch,
    parts: 1,
    format: 'mulaw',
    duration_ms: recordedMs,
    sha256,
  });
  await worker.post(`${path}/reports`, { epoch, seq: 2, events: [{ type: 'ended', ended_reason: 'callee_hung_up' }] });
  await worker.post(`${path}/complete`, { epoch, transcript });
  return call.call_id;
}

const listOf = (page: Json, name = 'data'): Json[] => page[name] as Json[];

/** G.711 mu-law, 8,000 samples a second, two channels with the agent in the second one. */
function stereo(): Buffer {
  const samples = Buffer.alloc((recordedMs * 8 * 2) | 0, 0xff);
  for (const [speaker, from, to] of spoken)
    for (let n = from * 8; n < to * 8; n += 1) {
      const syllable = Math.abs(Math.sin(n / 640)) * (0.55 + 0.45 * Math.sin(n / 2_900));
      const tone = Math.sin(n / (speaker === 'agent' ? 6 : 9)) * 0.7 + Math.sin(n / 2.3) * 0.3;
      samples[n * 2 + (speaker === 'agent' ? 1 : 0)] = muLaw(tone * syllable * 18_000);
    }
  return samples;
}

function muLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const value = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = Math.max(0, Math.floor(Math.log2(value)) - 7);
  return ~(sign | (exponent << 4) | ((value >> (exponent + 3)) & 0x0f)) & 0xff;
}
