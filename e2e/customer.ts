import { randomUUID } from 'node:crypto';
import { Api, type Answer } from './api';
import type { Platform } from './platform';
import { Receiver, type ReceivedEvent } from './receiver';
import { until } from './until';

export interface CallRecord extends Record<string, unknown> {
  readonly call_id: string;
  readonly status: string;
  readonly ended_reason: string | null;
}

/** The event types that an endpoint subscribes to in order to see all events of a call. */
export const callEvents = [
  'call.created',
  'call.queued',
  'call.dialing',
  'call.answered',
  'media.started',
  'call.ended',
  'call.failed',
  'call.canceled',
  'call.completed',
  'call.transcript.ready',
];

/** A callee of the simulator that answers, listens to the agent's greeting and hangs up, within four seconds of call time. */
export const briefCallee = '+15005550009';

export interface CustomerOptions {
  readonly billing?: 'unmetered' | 'prepaid';
  /** The pace of the customer's number. Default: instant, with which no call stays in progress. */
  readonly pace?: 'instant' | 'real_time';
}

export const terminalEvents = ['call.completed', 'call.failed', 'call.canceled'];

/** Consecutive numbers, because a number can have only one owner and random ones could collide. */
let numbers = 2_000_000;

/** An organization for a test, with a project, a number, a published agent and a receiver for its events. */
export class Customer {
  private constructor(
    readonly api: Api,
    readonly organizationId: string,
    readonly projectId: string,
    readonly agentId: string,
    readonly endpointId: string,
    readonly receiver: Receiver,
    readonly key: string,
  ) {}

  static async create(
    platform: Platform,
    { billing = 'unmetered', pace = 'instant' }: CustomerOptions = {},
  ): Promise<Customer> {
    const operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    const organization = await created(operator.post('/v1/organizations', { name: 'Acme', billing }));
    const organizationId = String(organization.organization_id);
    const project = await created(operator.post(`/v1/organizations/${organizationId}/projects`, { name: 'Support' }));
    const projectId = String(project.project_id);
    const minted = await created(
      operator.post('/v1/api-keys', { organization_id: organizationId, name: 'e2e', scopes: ['all'] }),
    );
    const key = String(minted.token);
    const api = operator.as(key);
    const receiver = await Receiver.start();
    const endpoint = await created(
      api.post('/v1/agent-endpoints', {
        organization_id: organizationId,
        project_id: projectId,
        webhook_url: receiver.url,
        audio_stream_url: receiver.url.replace('http:', 'ws:'),
        events: callEvents,
      }),
    );
    receiver.trust(String(endpoint.secret));
    await created(
      api.post('/v1/numbers', {
        organization_id: organizationId,
        project_id: projectId,
        phone_number: `+1415${(numbers += 1)}`,
        provider: 'simulator',
        simulator_pace: pace,
      }),
    );
    const agent = await created(
      api.post('/v1/agents', {
        organization_id: organizationId,
        project_id: projectId,
        mode: 'hosted',
        name: 'Reception',
        language: 'en',
        system_prompt: 'You are the receptionist of a dental practice. Offer an appointment.',
      }),
    );
    const agentId = String(agent.agent_id);
    const stack = await api.patch(`/v1/agents/${agentId}/voice-stack`, {
      languages: ['en'],
      first_message: 'Good morning, how can I help?',
      opening: { first_speaker: 'agent' },
    });
    if (stack.status !== 200) throw new Error(`voice stack: ${stack.status} ${JSON.stringify(stack.body)}`);
    return new Customer(api, organizationId, projectId, agentId, String(endpoint.agent_endpoint_id), receiver, key);
  }

  /** Places a call. Retries while the platform is impaired, as docs/reference/requests.md#retrying describes. */
  async call(to: string, idempotencyKey: string = randomUUID()): Promise<CallRecord> {
    const answer = await this.api.persist((api) =>
      api.post<CallRecord>('/v1/calls', { agent_id: this.agentId, to }, { 'idempotency-key': idempotencyKey }),
    );
    if (answer.status !== 201) throw new Error(`call: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async readCall(callId: string): Promise<CallRecord> {
    return (await this.api.persist((api) => api.get<CallRecord>(`/v1/calls/${callId}`))).body;
  }

  /** Returns the call in its final state. */
  async finished(callId: string): Promise<CallRecord> {
    return until(`${callId} comes to rest`, async () => {
      const call = await this.readCall(callId);
      return ['completed', 'failed', 'canceled'].includes(call.status) ? call : undefined;
    });
  }

  /**
   * Returns the events of a call that the platform lists, and those that the receiver got, both ordered by sequence number, as soon as they are the same.
   * Comparing numbers is not enough: deliveries arrive in any order, and a listed event may still be missing.
   */
  async delivered(callId: string): Promise<{ listed: readonly ReceivedEvent[]; received: readonly ReceivedEvent[] }> {
    return until(`every event of ${callId} that the platform lists`, async () => {
      const { body } = await this.api.persist((api) =>
        api.get<{ data: ReceivedEvent[] }>(`/v1/calls/${callId}/events?limit=100`),
      );
      const listed = [...body.data].sort((one, other) => one.resource_seq - other.resource_seq);
      const received = this.receiver.eventsOf(callId);
      const same = listed.length === received.length && listed.every(({ id }, place) => received[place]?.id === id);
      return same ? { listed, received } : undefined;
    });
  }

  async close(): Promise<void> {
    await this.receiver.stop();
  }
}

async function created(pending: Promise<Answer>): Promise<Record<string, unknown>> {
  const answer = await pending;
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
