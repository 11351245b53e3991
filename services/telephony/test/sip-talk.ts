import { routes, type WorkerJob } from '@parley/contract';
import { customerCaller, eventually } from '@parley/testing';
import type { AsteriskServer } from './asterisk-server';
import { hostedCapabilities } from './declared-workers';
import { dial, type Dialing } from './lines-of';
import type { Instance, UnderTest } from './telephony-under-test';
import { freshNumber, hostedCaller, report } from './test-caller';

export interface Talk {
  readonly line: Dialing;
  readonly callId: string;
  readonly job: WorkerJob;
}

/** An answered call over a trunk, conducted by a worker. @param more fields of the trunk */
export async function talkOverTrunk(
  { under, telephony, asterisk }: { under: UnderTest; telephony: Instance; asterisk: AsteriskServer },
  more: object = {},
): Promise<Talk> {
  const agent = under.fakes.addAgent();
  const { organizationId: organization_id } = agent;
  const trunk = { organization_id, name: 'Peer', host: '10.1.0.1', transport: 'udp', codecs: ['pcmu'], ...more };
  const caller = customerCaller(organization_id);
  const { body: stored } = await telephony.request(routes.createSipTrunk, { caller, body: trunk });
  const line = { agent, from: freshNumber(), to: freshNumber() };
  const number = { organization_id, project_id: agent.projectId, phone_number: line.from, provider: 'sip_trunk' };
  const body = { ...number, sip_trunk_id: stored.sip_trunk_id };
  await telephony.request(routes.createNumber, { caller, body });
  const callId = await dial(telephony, line);
  const channel = await eventually(() => asterisk.channels.get(callId));
  asterisk.answer(callId);
  const capabilities = { ...hostedCapabilities, controls: ['transfer'] };
  const token = channel?.variables['PARLEY_TOKEN'] ?? '';
  const adopting = { token, worker_id: 'engine', capabilities };
  const { body: job } = await telephony.request(routes.adoptWorkerJob, { caller: hostedCaller, body: adopting });
  await report(telephony, job, 1, 'dialing', 'answered', 'media_started');
  // Asterisk has the channel before telephony has its response.
  await eventually(async () => {
    const text = 'select from carrier_lines where call_id = $1 and carrier_call_id is not null';
    return (await under.db.query({ text, values: [callId] })).rows[0];
  });
  return { line, callId, job };
}
