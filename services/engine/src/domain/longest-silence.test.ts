import { Rehearsal } from '../../test/rehearsal';
import { deadlineNames, type CallAction, type DeadlineName } from './call-state';
import type { CallPlan } from './call-plan';
import { plainConduct, type Conduct } from '../core/conduct';
import { nextDeadline, step } from './step';

/** Everything that is left of a call in which carrier, line, transcriber, model, voice and tools fall silent for good. */
type Rest = readonly (readonly [at: number, what: string])[];

interface Row {
  readonly state: string;
  /** How the call gets there; the last input is at the moment at which everything falls silent. */
  readonly reach: () => Rehearsal;
  readonly rest: Rest;
}

const withConduct = (change: Partial<Conduct>, plan: Partial<CallPlan> = {}): Rehearsal =>
  Rehearsal.answered({ firstSpeaker: 'agent', conduct: { ...plainConduct, ...change }, ...plan });

/** The agent has opened, and the caller was heard once. */
const open = (change: Partial<Conduct> = {}, plan: Partial<CallPlan> = {}): Rehearsal =>
  withConduct(change, plan)
    .at(100, 'speech_started')
    .at(200, 'speech_ended', { type: 'transcribed', text: '' })
    .spoken(1_000);

/** A question of the caller ended at second 9, and the model is asked at second 10. */
const asked = (change: Partial<Conduct> = {}): Rehearsal =>
  open(change, { endOfTurnMs: 1_000 }).says('What does it cost?', 8_000, 9_000).at(10_000, 'tick');

const mute = (call: Rehearsal): Rehearsal => {
  call.mute = true;
  return call;
};

const tool = (call: Rehearsal): Rehearsal =>
  call.at(11_000, { type: 'tool_started', turn: call.last('think').turn, tool: 'look_up' });

/** Spoke over the agent for less than a second, without an end that is reported. */
const over = (plan: Partial<CallPlan>): Rehearsal =>
  withConduct({ modelUnresponsiveMs: 10_000 }, { interruptionMs: 500, ...plan }).at(5_000, 'speech_started');

const menu = 'For sales press one.';
const navigating = (): Rehearsal =>
  open({ navigation: { maxMenuMs: 20_000, maxHoldMs: 60_000 } })
    .says(menu, 2_000, 3_000)
    .at(3_800, 'tick');
const pressed = (call: Rehearsal): Rehearsal =>
  call.at(4_000, { type: 'replied', turn: call.last('think').turn, text: '', endsCall: false, press: '1' });

const unresponsive = 'ended: agent_unresponsive';
const toolWait = { delayMs: 1_000, phrases: ['One moment.'], soundMs: 15_000, silentTools: [] };

const rows: readonly Row[] = [
  { state: 'ringing', reach: () => new Rehearsal().at(1_000, 'permitted'), rest: [[121_000, 'failed: no_answer']] },
  {
    state: 'answered, without media',
    reach: () => new Rehearsal().at(0, 'permitted').at(1_000, 'answered'),
    rest: [[11_000, 'ended: carrier_failure']],
  },
  {
    state: 'the callee is to speak first',
    reach: () => mute(Rehearsal.answered({ silenceWaitMs: 5_000 })),
    rest: [
      [5_000, 'speak'],
      [15_000, unresponsive],
    ],
  },
  {
    state: 'opened, the other party was never heard',
    reach: () => withConduct({}, { noCallerSpeechMs: 120_000 }).spoken(1_000),
    rest: [[120_000, 'ended: no_caller_speech_after_answer']],
  },
  {
    state: 'the model opens, the other party was never heard',
    reach: () => withConduct({}, { greeting: '', noCallerSpeechMs: 20_000 }),
    rest: [[20_000, 'ended: no_caller_speech_after_answer']],
  },
  {
    state: 'the model opens, a noise was heard',
    reach: () =>
      withConduct({}, { greeting: '', endOfTurnMs: 1_000 })
        .at(2_000, 'speech_started')
        .at(3_000, 'speech_ended', { type: 'transcribed', text: '' }),
    rest: [
      [4_000, 'think'],
      [14_000, unresponsive],
    ],
  },
  {
    state: 'the caller speaks, no end is reported, nothing is transcribed',
    reach: () => open({ modelUnresponsiveMs: 10_000 }).at(5_000, 'speech_started'),
    rest: [[78_800, unresponsive]],
  },
  {
    state: 'the caller has spoken, the words are lost',
    reach: () => open({ modelUnresponsiveMs: 10_000 }).at(5_000, 'speech_started').at(6_000, 'speech_ended'),
    rest: [[19_800, unresponsive]],
  },
  {
    state: 'the words are lost, the clock of the model is off',
    reach: () => open().at(5_000, 'speech_started').at(6_000, 'speech_ended'),
    rest: [[129_800, unresponsive]],
  },
  {
    state: 'the words are lost, and asked for again',
    reach: () =>
      mute(open({ unrecognised: { most: 1, phrase: 'Pardon?' } }))
        .at(5_000, 'speech_started')
        .at(6_000, 'speech_ended'),
    rest: [
      [9_800, 'speak'],
      [19_800, unresponsive],
    ],
  },
  {
    state: 'the transcriber failed',
    reach: () =>
      open({ modelUnresponsiveMs: 10_000 })
        .at(5_000, 'speech_started')
        .at(6_000, 'speech_ended', { type: 'transcript_lost' }),
    rest: [[16_800, unresponsive]],
  },
  {
    state: 'the agent was cut short by a noise',
    reach: () => over({}).at(5_600, 'speech_ended', { type: 'transcribed', text: '' }),
    rest: [
      [6_400, 'think'],
      [16_400, unresponsive],
    ],
  },
  { state: 'the model thinks', reach: () => asked({ modelUnresponsiveMs: 10_000 }), rest: [[20_000, unresponsive]] },
  { state: 'the model thinks, its clock is off', reach: () => asked(), rest: [[130_000, unresponsive]] },
  {
    state: 'the model replied nothing',
    reach: () => asked({ modelUnresponsiveMs: 10_000 }).replies(12_000, ''),
    rest: [[20_000, unresponsive]],
  },
  {
    state: 'the model thinks, an acknowledgement is set',
    reach: () => asked({ modelUnresponsiveMs: 10_000, acknowledgement: { delayMs: 1_000, phrases: ['One moment.'] } }),
    rest: [
      [11_000, 'say_beside'],
      [20_000, 'stop_beside'],
      [20_000, unresponsive],
    ],
  },
  {
    state: 'a tool runs',
    reach: () => tool(asked({ modelUnresponsiveMs: 10_000 })),
    rest: [[55_000, unresponsive]],
  },
  {
    state: 'a tool runs, with a sound',
    reach: () => tool(asked({ modelUnresponsiveMs: 10_000, toolWait: { ...toolWait, mode: 'sound' } })),
    rest: [
      [12_000, 'typing_sound'],
      [27_000, 'stop_beside'],
      [55_000, unresponsive],
    ],
  },
  {
    state: 'the agent is to speak, its voice gives nothing',
    reach: () => mute(asked()).replies(12_000, 'Ten.'),
    rest: [[22_000, unresponsive]],
  },
  {
    state: 'the last words of the agent play, their end is not reported',
    reach: () => asked().replies(12_000, 'Bye.', true),
    rest: [[617_000, 'ended: agent_hung_up']],
  },
  {
    state: 'the agent speaks, the caller speaks over it',
    reach: () => over({ endOfTurnMs: 1_000 }),
    rest: [
      [5_500, 'stop_speaking'],
      [69_000, 'think'],
      [79_000, unresponsive],
    ],
  },
  { state: 'in a menu', reach: () => pressed(navigating()), rest: [[23_000, 'ended: ivr_timeout']] },
  {
    state: 'on hold',
    reach: () => pressed(navigating()).at(5_000, 'music_started'),
    rest: [[65_000, 'ended: ivr_timeout']],
  },
  {
    state: 'music, where it ends the call',
    reach: () => withConduct({}, { nonHumanAudio: 'end_call' }).spoken(500).at(1_000, 'music_started'),
    rest: [[9_000, 'ended: no_human_after_answer']],
  },
  {
    state: 'the caller has nothing to say',
    reach: () => open({}, { maxCallMs: 1_740_000 }),
    rest: [[1_740_000, 'ended: max_call_duration_reached']],
  },
];

const nameOf = (action: CallAction): string | undefined => {
  if (action.type === 'report') return `${action.event.type}: ${action.event.ended_reason ?? ''}`;
  return action.type === 'hang_up' || action.type === 'complete' ? undefined : action.type;
};

/** Runs a call to its end by its deadlines alone, or by all of them but one. */
function restOf({ reach }: Row, without?: DeadlineName): Rest {
  const call = reach();
  const rest: [number, string][] = [];
  for (let { state } = call, steps = 0; steps < 100; steps += 1) {
    if (without !== undefined) state = { ...state, deadlines: { ...state.deadlines, [without]: undefined } };
    const at = nextDeadline(state);
    if (at === undefined) break;
    const next = step(state, { type: 'tick' }, at);
    ({ state } = next);
    for (const action of next.actions) {
      const name = nameOf(action);
      if (name !== undefined) rest.push([at, name]);
      if (action.type !== 'speak' || call.mute) continue;
      ({ state } = step(state, { type: 'voiced', turn: action.turn, durationMs: 600_000 }, at));
    }
  }
  return rest;
}

describe('the longest silence of every state', () => {
  it.each(rows)('$state', (row) => {
    expect(restOf(row)).toEqual(row.rest);
  });

  it.each(deadlineNames)('is held by the deadline %s: without it a row is another', (name) => {
    const changed = rows.filter((row) => JSON.stringify(restOf(row, name)) !== JSON.stringify(row.rest));
    expect(changed.map(({ state }) => state)).not.toEqual([]);
  });
});
