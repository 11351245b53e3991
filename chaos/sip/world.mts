/** A platform with Asterisk, two processes of each service, and an organization with a trunk on the loopback interface. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../../bench/platform.mts';
import { platformFiles } from '../../scripts/asterisk/platform-files.mts';
import { freeAsteriskPorts, freeUdpPort } from '../../scripts/asterisk/ports.mts';
import { silence, writeWav } from '../../scripts/asterisk/trial/sound.mts';
import { startAsterisk, type RunningAsterisk } from '../../scripts/asterisk/start.mts';
import { Supervisor } from '../../scripts/processes/supervisor.mts';
import { request } from '../telephony.mts';
import { balancerOf, processesIn, type Process } from '../servers/port-balancer.mts';
import { Models } from './models.mts';

export interface CallRecord extends Record<string, unknown> {
  readonly call_id: string;
  readonly status: string;
  readonly ended_reason: string | null;
  readonly from: string;
  readonly to: string;
}

export interface SipWorld {
  readonly platform: BenchPlatform;
  readonly asterisk: RunningAsterisk;
  readonly supervisor: Supervisor;
  readonly models: Models;
  readonly modelsUrl: string;
  readonly folder: string;
  readonly agentId: string;
  /** The port on which the callee of the trunk listens. */
  readonly calleePort: number;
  /** The platform's number, which is called and from which it calls. */
  readonly number: string;
  /** The trunk of that number. */
  readonly trunkId: string;
  stop(): Promise<void>;
}

export const ourNumber = '+14155550100';
const ari = { user: 'parley', password: 'of-the-chaos' };

export const processesOf = ({ home }: BenchPlatform): readonly Process[] => processesIn(home);

export async function startSipWorld(replicas: number, say: (line: string) => void): Promise<SipWorld> {
  const [home, folder, models] = [newHome(), mkdtempSync(path.join(tmpdir(), 'parley-sip-')), new Models()];
  const modelsUrl = await models.start();
  const ports = await freeAsteriskPorts();
  const supervisor = new Supervisor({ onNotice: say, readyTimeoutMs: 20_000 });
  supervisor.guard.scrap(folder);
  const [engines, gateways] = [balancerOf(home, 'engine', 'media_port'), balancerOf(home, 'gateway', 'internal_port')];
  const balancers = [engines, gateways];
  const mediaUrl = `ws://${await engines.start()}`;
  const gatewayUrl = `https://${await gateways.start()}`;
  const platform = await startPlatform(
    home,
    {
      SIP_ARI_URL: `http://127.0.0.1:${ports.http}/ari`,
      SIP_ARI_USER: ari.user,
      SIP_ARI_PASSWORD: ari.password,
      MEDIA_PUBLIC_URL: mediaUrl,
      ENGINE_GATEWAY_URL: gatewayUrl,
      TEST_CALL_CONDUCTOR: 'agent',
      CARRIER_CALLS_PER_SECOND: '100',
      ENGINE_CAPACITY: '60',
      LINE_RING_SECONDS: '8',
      // An engine that stops hands its calls over, for which it waits until neither party speaks.
      DRAIN_SECONDS: '40',
    },
    replicas,
  );
  for (const balancer of balancers) balancer.watch();
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await platform.stop();
    for (const balancer of balancers) balancer.stop();
    models.stop();
    forgetHome(home);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const asterisk = await startAsterisk({
      mediaUrl: `${mediaUrl}/sip_trunk`,
      directory: path.join(folder, 'asterisk'),
      ports,
      ari,
      supervisor,
      files: platformFiles,
      say,
    });
    const calleePort = await freeUdpPort();
    const agentId = await prepareAgent(platform, modelsUrl);
    const trunkId = await addNumber(platform, { number: ourNumber, port: calleePort, agentId });
    return {
      platform,
      asterisk,
      supervisor,
      models,
      modelsUrl,
      folder,
      agentId,
      calleePort,
      number: ourNumber,
      trunkId,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Time after which Asterisk accepts calls of a new trunk. */
const trunkKnownMs = 5_000;

/** Creates a number on a trunk of its own, and waits until it can be called. The peer is a port of the loopback interface. */
export async function addNumber(
  platform: BenchPlatform,
  {
    number,
    port,
    agentId,
    codecs = ['g722', 'pcmu'],
  }: { number: string; port: number; agentId: string; codecs?: string[] },
): Promise<string> {
  const { organization_id, project_id } = platform.development;
  const trunk = await request(platform, 'POST', '/v1/sip-trunks', {
    organization_id,
    name: `Port ${port}`,
    host: '127.0.0.1',
    port,
    transport: 'udp',
    codecs,
  });
  await request(platform, 'POST', '/v1/numbers', {
    organization_id,
    project_id,
    phone_number: number,
    provider: 'sip_trunk',
    sip_trunk_id: trunk.sip_trunk_id,
    inbound_agent_id: agentId,
  });
  await sleep(trunkKnownMs);
  return trunk.sip_trunk_id ?? '';
}

/** Creates an agent whose components use the given address. */
export async function prepareAgent(platform: BenchPlatform, base_url: string): Promise<string> {
  const { organization_id, project_id } = platform.development;
  const agent = {
    organization_id,
    project_id,
    mode: 'hosted',
    name: 'Codes',
    language: 'en',
    system_prompt: 'Return the code.',
  };
  const { agent_id: agentId = '' } = await request(platform, 'POST', '/v1/agents', agent);
  const bindings: Record<string, string> = {};
  for (const kind of ['stt', 'llm', 'tts']) {
    const body = { organization_id, kind, provider: 'openai_compatible', name: kind, secret: `sk-${kind}`, base_url };
    const stored = await request(platform, 'POST', '/v1/component-credentials', body);
    bindings[kind] = stored.component_credential_id ?? '';
  }
  await request(platform, 'PATCH', `/v1/agents/${agentId}/voice-stack`, {
    languages: ['en'],
    first_message: 'Good morning.',
    opening: { first_speaker: 'agent' },
    transcriber: { provider: 'openai_compatible', model: 'own-listen' },
    model: { provider: 'openai_compatible', model: 'own-chat' },
    voice: { provider: 'openai_compatible', model: 'own-speak', voice_id: 'anna' },
    component_credential_bindings: bindings,
    turn_taking: { silence_hold_ms: 600 },
  });
  return agentId;
}

export async function read<T>({ baseUrl, development }: BenchPlatform, route: string): Promise<T> {
  const answer = await fetch(`${baseUrl}${route}`, { headers: { authorization: `Bearer ${development.admin_key}` } });
  return (await answer.json()) as T;
}

/** A telephone can send keys only while it plays audio, so this is longer than any call. */
const quietMs = 240_000;

/** Writes a file with silence that a telephone plays. */
export function writeQuiet(folder: string, codec: 'g711' | 'g722'): string {
  const file = path.join(folder, `quiet-${codec}.wav`);
  if (!existsSync(file)) writeWav(file, silence(codec === 'g722' ? 16_000 : 8_000, quietMs));
  return file;
}

const final = ['completed', 'failed', 'canceled', 'policy_blocked'];

/** Returns the call's record as soon as the call is over. */
export async function finished(platform: BenchPlatform, callId: string, withinMs = 60_000): Promise<CallRecord> {
  let call: CallRecord | undefined;
  for (const until = performance.now() + withinMs; performance.now() < until; await sleep(100)) {
    call = await read<CallRecord>(platform, `/v1/calls/${callId}`);
    if (final.includes(call.status)) return call;
  }
  throw new Error(`the call ${callId} is not over: ${JSON.stringify(call)}`);
}

/** Returns the record of the call from this number as soon as it exists. */
export async function callFrom(platform: BenchPlatform, from: string, withinMs = 20_000): Promise<CallRecord> {
  for (const until = performance.now() + withinMs; performance.now() < until; await sleep(100)) {
    const { data } = await read<{ data: CallRecord[] }>(platform, '/v1/calls?limit=100');
    const found = data.find((call) => call.from === from);
    if (found !== undefined) return found;
  }
  throw new Error(`no call from ${from} is on record`);
}
