import { Collector, spanKind } from './collector';
import { Customer } from './customer';
import { Platform } from './platform';
import { newTrace, webhookOf } from './traced-calls';
import { until } from './until';

describe('a call in the trace of its caller', () => {
  let platform: Platform | undefined;
  let customer: Customer | undefined;
  let collector: Collector | undefined;

  afterEach(async () => {
    await customer?.close();
    await platform?.stop();
    await collector?.stop();
  });

  it('with a collector, HTTP, gRPC, pg, NATS and the webhook are one trace, each span below its cause, and each turn is a span', async () => {
    const { traceId, spanId, traceparent } = newTrace();
    const sink = (collector = await Collector.start(traceId));
    platform = await Platform.start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint } });
    customer = await Customer.create(platform);

    const [, webhookTrace, webhookParent = ''] = (await webhookOf(customer, traceparent)).split('-');
    expect(webhookTrace).toBe(traceId);

    const { server, client, producer, consumer } = spanKind;
    const expected: readonly (readonly [string, string | RegExp, number])[] = [
      ['parley-gateway', 'HTTP POST', server],
      ['parley-gateway', 'PublicService/create-call', client],
      ['parley-telephony', 'PublicService/create-call', server],
      ['parley-telephony', /^AgentsService\//, client],
      ['parley-agents', /^AgentsService\//, server],
      ['parley-agents', /^pg /, client],
      ['parley-telephony', /^pg /, client],
      ['parley-telephony', 'publish call.created', producer],
      ['parley-webhooks', 'consume call.created', consumer],
      ['parley-webhooks', /^pg /, client],
      ['parley-webhooks', 'deliver call.created', client],
    ];
    const missing = () => expected.filter(([service, name, kind]) => sink.find(service, name, kind) === undefined);
    await until('the spans', () => missing().length === 0 || sink.refused.length > 0).catch(() => undefined);
    expect(sink.refused).toEqual([]);
    expect(missing()).toEqual([]);
    expect(sink.lineage(webhookParent)).toEqual([
      'parley-webhooks deliver call.created',
      'parley-webhooks consume call.created',
      'parley-telephony publish call.created',
      'parley-telephony PublicService/create-call',
      'parley-gateway PublicService/create-call',
      'parley-gateway HTTP POST',
      spanId,
    ]);

    const { body } = await customer.api.post('/v1/calls', { agent_id: customer.agentId, to: '+15005550006' });
    const callId = String(body.call_id);
    await customer.finished(callId);
    const transcript = await until('the transcript', async () => {
      const answer = await customer?.api.get(`/v1/calls/${callId}/transcript`);
      return answer?.status === 200 ? answer.body : undefined;
    });
    const turns = (transcript.turns as { turn_id: string; speaker: string }[]).map(({ turn_id: turnId, speaker }) => ({
      turnId,
      speaker,
    }));
    expect(turns.length).toBeGreaterThan(1);
    await until('the spans of the turns', () => sink.turnsOf(callId).length >= turns.length);
    expect(sink.turnsOf(callId)).toEqual(turns);
  });
});
