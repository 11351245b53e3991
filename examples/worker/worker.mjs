// A worker of your own: it claims the calls of your numbers with `dialer: own` and conducts them. Node 20 or later, no dependencies.
// Start it with: PARLEY_API_KEY=tai_... PARLEY_BASE_URL=https://parley.example.com node worker.mjs
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const { PARLEY_API_KEY: key, PARLEY_BASE_URL: base, CARRIER = 'sip_trunk' } = process.env;
const workerId = `example-${randomUUID()}`;
/** What this worker can do. It is given the calls that need nothing else. */
const capabilities = {
  carriers: [CARRIER],
  modes: ['hosted'],
  engines: ['cascade'],
  providers: { stt: ['simulator'], llm: ['simulator'], tts: ['simulator'] },
  tools: ['end_call'],
};

async function post(path, body) {
  const response = await fetch(`${base}/v1/worker-jobs/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Replace this with your own telephony: it resolves to the turns of the conversation, in milliseconds from the answer, and hangs up where `signal` aborts. */
async function converse({ call, runtime_configuration: configuration }, signal) {
  const greeting = configuration.first_message ?? 'Hello.';
  await pause(1_000, undefined, { signal });
  return [
    { speaker: 'agent', text: greeting, started_ms: 0, ended_ms: 800 },
    { speaker: 'callee', text: `Hello from ${call.to}.`, started_ms: 900, ended_ms: 1_000 },
  ];
}

async function conduct(job) {
  const { job_id: jobId, epoch, lease_seconds: leaseSeconds } = job;
  const ended = new AbortController();
  // Heartbeats keep the lease. One that is lost is another worker's by now, and one whose call was canceled is to be ended: hang up in both cases.
  const beat = async () => {
    const { leases } = await post('heartbeat', { worker_id: workerId, leases: [{ job_id: jobId, epoch }] });
    if (leases.some(({ state, cancel_requested: canceled }) => state === 'lost' || canceled)) ended.abort();
  };
  const lease = setInterval(() => beat().catch(console.error), (leaseSeconds * 1_000) / 3);
  let seq = 0;
  const report = (event) => post(`${jobId}/reports`, { epoch, seq: (seq += 1), events: [event] });
  try {
    // The permit: from here on the call may be dialed, once. A worker that dies after it leaves a call that is over.
    await report({ type: 'dialing' });
    await report({ type: 'answered' });
    await report({ type: 'media_started' });
    const turns = await converse(job, ended.signal);
    await report({ type: 'ended', ended_reason: 'callee_hung_up' });
    await post(`${jobId}/complete`, { epoch, transcript: { turns } });
    console.log('completed', job.call.call_id);
  } finally {
    clearInterval(lease);
  }
}

console.log('ready', workerId);
for (let stopped = false; !stopped;) {
  process.once('SIGTERM', () => (stopped = true));
  const claim = { kinds: ['call'], capacity: 1, worker_id: workerId, wait_seconds: 5, capabilities };
  const { jobs } = await post('claim', claim).catch((error) => pause(1_000, { jobs: [], error: console.error(error) }));
  for (const job of jobs) await conduct(job).catch(console.error);
}
