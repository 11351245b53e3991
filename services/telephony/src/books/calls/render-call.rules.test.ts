import { CallRecord, callSummaryFields, EventEnvelope, maxEventDataBytes, validate } from '@parley/contract';
import { callEvent } from './call-event.rules';
import { callAs } from '../../../test/call-as';
import { callEtag, renderCall, renderListedCall } from './render-call.rules';

describe('the public JSON of a call', () => {
  it('is a valid CallRecord', () => {
    const record = JSON.parse(renderCall(callAs())) as Record<string, unknown>;
    expect(() => validate(CallRecord, record)).not.toThrow();
    expect(record).toMatchObject({ metadata: { order: 7 }, variables: {}, dialing_at: null, duration_seconds: null });
  });

  it('in a list has only the summary fields if summary is requested, else all fields', () => {
    const whole = JSON.parse(renderCall(callAs())) as Record<string, unknown>;
    expect(JSON.parse(renderListedCall(callAs(), false))).toEqual(whole);
    const short = JSON.parse(renderListedCall(callAs(), true)) as Record<string, unknown>;
    expect(Object.keys(short).sort()).toEqual([...callSummaryFields].sort());
    expect(whole).toMatchObject(short);
  });

  it('is the data of an event with a valid EventEnvelope', () => {
    const at = new Date('2026-03-01T12:00:01.000Z');
    const call = callAs({ resourceSeq: 3, status: 'dialing', dialingAt: at });
    const event = callEvent('evt_1', { call, event: 'call.dialing' }, at);
    const envelope = JSON.parse(`${event.head}${event.data}}`) as EventEnvelope;
    expect(() => validate(EventEnvelope, envelope)).not.toThrow();
    expect(envelope).toMatchObject({ id: 'evt_1', type: 'call.dialing', resource_id: 'call_1', resource_seq: 3 });
    expect(envelope.data).toEqual(JSON.parse(renderCall(call)));
    expect(event.subject).toBe('events.v1.org_1.call.dialing');
  });

  it('is replaced by a link in events above 256 KiB', () => {
    const ofBytes = (bytes: number) => {
      const call = (text: string) => callAs({ metadata: JSON.stringify({ text }) });
      // `ä` takes two bytes in UTF-8; one more byte is added if the rest is odd.
      const rest = bytes - Buffer.byteLength(renderCall(call('')));
      return call('ä'.repeat(Math.floor(rest / 2)) + 'a'.repeat(rest % 2));
    };
    const dataOf = (bytes: number): string => {
      const call = ofBytes(bytes);
      expect(Buffer.byteLength(renderCall(call))).toBe(bytes);
      return callEvent('evt_1', { call, event: 'call.dialing' }, new Date()).data;
    };
    for (const bytes of [maxEventDataBytes - 1, maxEventDataBytes]) {
      expect(dataOf(bytes)).toBe(renderCall(ofBytes(bytes)));
    }
    const event = callEvent('evt_1', { call: ofBytes(maxEventDataBytes + 1), event: 'call.dialing' }, new Date());
    expect(event.data).toBe('{"url":"/v1/calls/call_1"}');
    expect(() => validate(EventEnvelope, JSON.parse(`${event.head}${event.data}}`))).not.toThrow();
  });

  it('has a different ETag after each event', () => {
    expect(callEtag(callAs({ resourceSeq: 2 }))).not.toBe(callEtag(callAs({ resourceSeq: 3 })));
  });
});
