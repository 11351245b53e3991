import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { callStatuses } from '@parley/contract';
import type { Call } from './call.rules';
import {
  advance,
  advanceThrough,
  callTransitions,
  callTriggers,
  reportTriggers,
  type CallTrigger,
} from './call-transitions.rules';
import { callAs } from '../../../test/call-as';

const at = new Date('2026-03-01T12:00:10.500Z');
/** Every combination of status and trigger: those not listed here change nothing. */
const moves: Readonly<Record<string, readonly [string, string | null]>> = {
  'scheduled come_due': ['queued', 'call.queued'],
  'scheduled block': ['policy_blocked', 'call.failed'],
  'scheduled hold_for_review': ['needs_review', null],
  'scheduled fail': ['failed', 'call.failed'],
  'scheduled cancel': ['canceled', 'call.canceled'],
  'needs_review approve': ['queued', 'call.queued'],
  'needs_review reject': ['canceled', 'call.canceled'],
  'needs_review cancel': ['canceled', 'call.canceled'],
  'queued dial': ['dialing', 'call.dialing'],
  'queued cancel': ['canceled', 'call.canceled'],
  'queued fail': ['failed', 'call.failed'],
  'dialing answer': ['answered', 'call.answered'],
  'dialing fail': ['failed', 'call.failed'],
  'dialing end': ['failed', 'call.failed'],
  'dialing cancel': ['canceled', 'call.canceled'],
  'answered start_media': ['answered', 'media.started'],
  'answered end': ['ended', 'call.ended'],
  'answered fail': ['ended', 'call.ended'],
  'ended complete': ['completed', 'call.completed'],
  'completed attach_transcript': ['completed', 'call.transcript.ready'],
  'completed attach_recording': ['completed', 'call.recording.ready'],
  'completed attach_translation': ['completed', 'call.translation.ready'],
  'completed fail_translation': ['completed', 'call.translation.failed'],
  'completed attach_extraction': ['completed', 'call.extraction.ready'],
  'completed fail_extraction': ['completed', 'call.extraction.failed'],
};

describe('the transition table of calls', () => {
  it.each(callStatuses.flatMap((status) => callTriggers.map((trigger) => [status, trigger] as const)))(
    'status %s, trigger %s: changes status and event as listed, or nothing',
    (status, trigger) => {
      const step = advance(callAs({ status, resourceSeq: 4 }), trigger, { at });
      const expected = moves[`${status} ${trigger}`];
      expect(step && [step.call.status, step.event]).toEqual(expected);
      if (step !== undefined)
        expect([step.call.resourceSeq, step.call.updatedAt]).toEqual([step.event === null ? 4 : 5, at]);
    },
  );

  const byReports: readonly CallTrigger[] = Object.values(reportTriggers);

  it.each(callTriggers.filter((trigger) => !byReports.includes(trigger)))(
    'trigger %s is used in the source',
    (trigger) => {
      const root = path.resolve(__dirname, '../..');
      const files = globSync('**/*.ts', { cwd: root }).filter(
        (file) => !/\.test\.ts$|call-transitions\.rules\.ts$/.test(file),
      );
      const sources = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
      expect(sources.includes(`'${trigger}'`)).toBe(true);
    },
  );

  it('lists each pair of status and trigger once', () => {
    expect(new Set(callTransitions.map(({ from, on }) => `${from} ${on}`)).size).toBe(callTransitions.length);
    expect(callTransitions).toHaveLength(Object.keys(moves).length);
  });

  it('start_media changes nothing if media has started', () => {
    const call = callAs({ status: 'answered', mediaStartedAt: at });
    expect(advance(call, 'start_media', { at })).toBeUndefined();
  });

  it.each<[keyof Call, Call['status'], CallTrigger]>([
    ['queuedAt', 'scheduled', 'come_due'],
    ['failedAt', 'scheduled', 'fail'],
    ['queuedAt', 'needs_review', 'approve'],
    ['dialingAt', 'queued', 'dial'],
    ['answeredAt', 'dialing', 'answer'],
    ['mediaStartedAt', 'answered', 'start_media'],
    ['endedAt', 'answered', 'end'],
    ['failedAt', 'dialing', 'fail'],
    ['canceledAt', 'queued', 'cancel'],
    ['completedAt', 'ended', 'complete'],
  ])('%s is set for status %s and trigger %s', (field, status, trigger) => {
    const before = callAs({ status, [field]: null });
    expect(advance(before, trigger, { at })?.call[field]).toEqual(at);
  });

  it.each([
    [0, 0, 0],
    [1, 1, 1],
    [1000, 1, 1],
    [1001, 2, 1],
    [60_000, 60, 30],
    [60_001, 61, 31],
  ])(
    'a call of %d ms has duration_seconds %d and cost %d at 30 micro-USD a minute',
    (milliseconds, seconds, micros) => {
      const answeredAt = new Date(at.getTime() - milliseconds);
      const call = callAs({ status: 'answered', answeredAt, costMicrosPerMinute: 30 });
      expect(advance(call, 'end', { at })?.call).toMatchObject({ durationSeconds: seconds, costMicros: micros });
    },
  );

  it('a failed or canceled call has cost 0 and no duration', () => {
    for (const trigger of ['fail', 'cancel'] as const) {
      const step = advance(callAs({ status: 'dialing' }), trigger, {
        at,
        endedReason: 'busy',
        reasonDetail: 'sip_486',
      });
      expect(step?.call).toMatchObject({
        durationSeconds: null,
        costMicros: 0,
        endedReason: 'busy',
        reasonDetail: 'sip_486',
      });
    }
  });

  it('advanceThrough skips steps that change nothing', () => {
    const steps = advanceThrough(callAs({ status: 'dialing', resourceSeq: 3 }), [
      ['dial', { at }],
      ['answer', { at }],
      ['answer', { at }],
      ['complete', { at }],
      ['end', { at }],
      ['complete', { at }],
    ]);
    expect(steps.map(({ event, call }) => [call.resourceSeq, event])).toEqual([
      [4, 'call.answered'],
      [5, 'call.ended'],
      [6, 'call.completed'],
    ]);
  });
});
