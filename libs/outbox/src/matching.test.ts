import type { StreamInfo } from '@nats-io/jetstream';
import { isTransient } from './dead-letters';
import { matches } from './event-handler';
import { differences, ensureStream, streams, type StreamManager } from './streams';
import { typeOfSubject } from './event';

describe('matches', () => {
  it.each([
    ['events.v1.org_1.call.created', 'events.v1.>', true],
    ['events.v1', 'events.v1.>', false],
    ['events.v1.org_1.call.created', 'events.v1.*.call.created', true],
    ['events.v1.org_1.call.created', 'events.v1.*.call', false],
    ['events.v1.org_1.call', 'events.v1.*.call.created', false],
    ['events.v1.org_1.call.created', 'events.v1.org_2.>', false],
    ['events.v1.org_1', '*.*.*', true],
  ])('%s matches %s: %s', (subject, pattern, expected) => {
    expect(matches(subject, pattern)).toBe(expected);
  });
});

describe('typeOfSubject', () => {
  it.each([
    ['events.v1.org_1.call.transcript.ready', 'call.transcript.ready'],
    ['audit.v1.org_1', ''],
  ])('the type of subject %s is %j', (subject, type) => {
    expect(typeOfSubject(subject)).toBe(type);
  });
});

describe('isTransient', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });
  it.each(['08006', '40001', '40P01', '53300', '55P03', '57P01', '57014', 'ECONNREFUSED', 'ECONNRESET'])(
    'is true for %s',
    (code) => {
      expect(isTransient(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', '22P02', '42703', 'ERR_INVALID_ARG_TYPE'])('is false for %s', (code) => {
    expect(isTransient(withCode(code))).toBe(false);
  });

  it('is true for status 503 only', () => {
    expect(isTransient(Object.assign(new Error('x'), { status: 503 }))).toBe(true);
    expect(isTransient(Object.assign(new Error('x'), { status: 500 }))).toBe(false);
    expect(isTransient(new Error('x'))).toBe(false);
    expect(isTransient('57P01')).toBe(false);
  });
});

describe('differences', () => {
  it('lists the fields that differ or are missing', () => {
    const wanted = streams.EVENTS;
    expect(differences(wanted, { ...wanted })).toEqual([]);
    expect(differences(wanted, { ...wanted, max_age: 1 })).toEqual(['max_age']);
    const { discard: _discard, ...without } = wanted;
    expect(differences(wanted, without)).toEqual(['discard']);
  });
});

describe('ensureStream', () => {
  const notYet = '0001-01-01T00:00:00Z';
  const created = '2026-11-22T04:57:28.39664228Z';
  /** A fake server whose stream has these creation times, one per query. */
  const showing = (...times: string[]): StreamManager => {
    const looks = [...times];
    const info = () =>
      Promise.resolve({ created: looks.length > 1 ? looks.shift() : looks[0], config: streams.EVENTS } as StreamInfo);
    const unexpected = () => Promise.reject(new Error('not to be asked'));
    return { streams: { info, add: unexpected, update: unexpected } };
  };

  it.each([[[created]], [[notYet, notYet, created]]])(
    'waits until the server has created the stream: %j',
    async (times) => {
      expect(await ensureStream(showing(...times), streams.EVENTS)).toMatchObject({ created });
    },
  );

  it('throws if the stream is never created', async () => {
    await expect(ensureStream(showing(notYet), streams.EVENTS)).rejects.toThrow();
  });
});
