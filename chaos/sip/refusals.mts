/** Peers that do not answer a call, played by sipp. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeUdpPort } from '../../scripts/asterisk/ports.mts';
import { request } from '../telephony.mts';
import { addNumber, finished, type CallRecord, type SipWorld } from './world.mts';

export interface Refusal {
  /** Status code and reason of the response. After a code below 200 the peer sends nothing more and waits for the end of the call. */
  readonly says: string;
  readonly endedReason: string;
}

const response = (status: string): string => `<send><![CDATA[
SIP/2.0 ${status}
[last_Via:]
[last_From:]
[last_To:];tag=[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:[local_ip]:[local_port]>
Content-Length: 0

]]></send>`;

const scenarioOf = (says: string): string =>
  says.startsWith('1')
    ? `<?xml version="1.0"?><scenario name="early"><recv request="INVITE"/>${response(says)}<recv request="CANCEL"/>${response('200 OK')}</scenario>`
    : `<?xml version="1.0"?><scenario name="refuses"><recv request="INVITE"/>${response('180 Ringing')}<pause milliseconds="300"/>${response(says)}<recv request="ACK"/></scenario>`;

export async function placeRefused(
  { platform, supervisor, folder, agentId }: SipWorld,
  { says }: Refusal,
  nth: number,
): Promise<CallRecord> {
  const [port, file, number] = [await freeUdpPort(), path.join(folder, `refusal-${nth}.xml`), `+1415555900${nth}`];
  writeFileSync(file, scenarioOf(says));
  const args = ['-sf', file, '-i', '127.0.0.1', '-p', String(port), '-m', '1', '-timeout', '40s', '-nostdin'];
  const sipp = spawn('sipp', args, { cwd: folder, detached: true, stdio: 'ignore' });
  if (sipp.pid !== undefined) supervisor.guard.add(sipp.pid, 'SIGTERM');
  await sleep(500);
  await addNumber(platform, { number, port, agentId });
  const body = { agent_id: agentId, to: '+14155552002', from: number };
  const { call_id: callId = '' } = await request(platform, 'POST', '/v1/calls', body);
  try {
    return await finished(platform, callId);
  } finally {
    sipp.kill('SIGTERM');
    if (sipp.pid !== undefined) supervisor.guard.drop(sipp.pid);
  }
}
