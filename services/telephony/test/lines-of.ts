import { routes, type WorkerJob } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { serviceCaller } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addNumber, freshNumber, hostedCaller, place } from './test-caller';
import { hostedCapabilities } from './declared-workers';
import { storeAccount } from './test-messages';
import type { Instance, UnderTest } from './telephony-under-test';
import type { CallAtCarrier, TwilioProtocolCarrier } from './twilio/carrier';

export const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token-of-the-account' };

/** Replaces the gateway: receives webhooks and forwards them to an instance. */
export class WebhookDoor {
  /** If undefined, connections are closed. */
  to: Instance | undefined;
  private readonly server: Server = createServer((request, response) => {
    this.take(request, response).catch(() => response.destroy());
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    if (this.to === undefined) return void response.destroy();
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const signature = String(request.headers['x-twilio-signature']);
    const webhook = { provider: 'twilio', url: `${this.url}${path}`, form, signature };
    const context = { requestId: 'test', caller: serviceCaller };
    const { client } = this.to;
    try {
      const answered = path.includes('/call-statuses')
        ? await client.receiveCarrierCallStatus(webhook, context)
        : await client.receiveCarrierCall(webhook, context);
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end(answered.body);
    } catch (error) {
      response.writeHead(error instanceof AppError ? error.status : 500).end();
    }
  }
}

/** Declares hosted workers with this number of slots for lines. */
export const slots = (at: Instance, count: number, workerId = 'engine') =>
  at.request(routes.heartbeatWorkerJobs, {
    caller: hostedCaller,
    body: { worker_id: workerId, line_slots: count, leases: [] },
  });

export const adopt = async (at: Instance, token: string, workerId = 'engine'): Promise<WorkerJob> => {
  const body = { token, worker_id: workerId, capabilities: hostedCapabilities };
  return (await at.request(routes.adoptWorkerJob, { caller: hostedCaller, body })).body;
};

export interface Dialing {
  readonly agent: AgentForCall;
  readonly from: string;
  readonly to: string;
}

/** An agent with a number of the carrier, whose account is stored. */
export async function withLine(
  under: UnderTest,
  at: Instance,
  change: Partial<AgentForCall> = {},
  billing: 'prepaid' | 'unmetered' = 'unmetered',
): Promise<Dialing> {
  const agent = under.fakes.addAgent(change);
  if (billing === 'prepaid') under.fakes.prepaid.add(agent.organizationId);
  const from = await addNumber(at, agent, freshNumber(), { provider: 'twilio' });
  await storeAccount(at, agent.organizationId, account);
  return { agent, from, to: freshNumber() };
}

/** @returns the call's id */
export async function dial(at: Instance, { agent, to }: Dialing): Promise<string> {
  return (await place(at, agent, { to })).call.call_id;
}

/** Waits for the only call to a number to reach this state. */
export const callAt = (
  carrier: TwilioProtocolCarrier,
  to: string,
  met: (call: CallAtCarrier) => boolean = () => true,
): Promise<CallAtCarrier> =>
  eventually(async () => {
    const [call] = await carrier.calls(to);
    return call !== undefined && met(call) ? call : undefined;
  });
