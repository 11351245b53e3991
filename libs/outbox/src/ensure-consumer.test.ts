import {
  DeliverPolicy,
  JetStreamApiError,
  type ConsumerConfig,
  type ConsumerInfo,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { ensureConsumer, type ConsumerDefinition } from './ensure-consumer';

const wanted: ConsumerDefinition = { durable_name: 'mine', ack_wait: 10 };
const refusal = (err_code: number) => new JetStreamApiError({ code: 400, err_code, description: 'refused' });
const info = {} as ConsumerInfo;

/** The requests sent to a fake server with these responses. */
async function asked(answers: { info?: Partial<ConsumerConfig>; add?: Error; update?: Error }): Promise<unknown[]> {
  const calls: unknown[] = [];
  const answer = (error: Error | undefined) => (error === undefined ? Promise.resolve(info) : Promise.reject(error));
  const consumers: Pick<JetStreamManager['consumers'], 'info' | 'add' | 'update'> = {
    info: () =>
      answers.info === undefined
        ? Promise.reject(refusal(10014))
        : Promise.resolve({ config: answers.info } as ConsumerInfo),
    add: (...request) => {
      calls.push(['add', ...request]);
      return answer(answers.add);
    },
    update: (...request) => {
      calls.push(['update', ...request]);
      return answer(answers.update);
    },
  };
  await ensureConsumer({ consumers }, 'EVENTS', wanted).catch((error: unknown) => calls.push(error));
  return calls;
}

describe('ensureConsumer', () => {
  const [add, update] = [
    ['add', 'EVENTS', wanted],
    ['update', 'EVENTS', 'mine', wanted],
  ];

  it('adds a missing consumer', async () => {
    expect(await asked({})).toEqual([add]);
  });

  it('keeps the start position of an existing consumer', async () => {
    const began = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: 7 };
    expect(await asked({ info: { ...began, ack_wait: 5 } })).toEqual([['add', 'EVENTS', { ...wanted, ...began }]]);
    expect(await asked({ info: { deliver_policy: DeliverPolicy.All } })).toEqual([add]);
  });

  it('updates an existing consumer that the server refuses to add because it differs', async () => {
    expect(await asked({ add: refusal(10148) })).toEqual([add, update]);
  });

  it('rejects with the first error if the update also fails', async () => {
    const first = refusal(10059);
    expect(await asked({ add: first, update: refusal(10014) })).toEqual([add, update, first]);
  });

  it('sends no further request to an unavailable server', async () => {
    const away = new Error('timeout');
    expect(await asked({ add: away })).toEqual([add, away]);
  });
});
