import type { Api } from '../api';
import type { CallRecord, Customer } from '../customer';
import { until } from '../until';

interface Job {
  readonly job_id: string;
  readonly epoch: number;
  readonly call: CallRecord;
}

/** The capabilities with which a worker can conduct the calls of a customer of these tests. */
export const everything = {
  carriers: ['simulator'],
  modes: ['hosted'],
  engines: ['cascade'],
  providers: { stt: ['simulator'], llm: ['simulator'], tts: ['simulator'] },
  tools: [],
};

/** A call of the customer's own worker, which declares what else it can do: without that, no key could request it. */
export async function claimedByWorker(
  owner: Customer,
  worker: Api,
  further: { readonly tools?: string[]; readonly controls?: string[] },
): Promise<{ jobId: string; epoch: number; callId: string }> {
  const { body: numbers } = await owner.api.get<{ data: { number_id: string }[] }>('/v1/numbers');
  const number = `/v1/numbers/${numbers.data[0]?.number_id ?? ''}`;
  expect((await owner.api.patch(number, { dialer: 'own' })).status).toBe(200);
  const capabilities = { ...everything, ...further };
  const claim = async () => {
    const request = { kinds: ['call'], capacity: 1, worker_id: 'fuzz-0', wait_seconds: 0, capabilities };
    const { status, body } = await worker.post<{ jobs: Job[] }>('/v1/worker-jobs/claim', request);
    expect(status).toBe(200);
    return body.jobs[0];
  };
  await claim();
  await owner.call('+15005550006');
  const { job_id: jobId, epoch, call } = await until('the call of our worker', claim);
  return { jobId, epoch, callId: call.call_id };
}
