/** One action of the scripted callee. Durations are milliseconds of call time. */
export type CalleeAct =
  /** `toInterrupt`: on a line with sound, waits in place of `ms` until the agent speaks, because its delay is not known there. */
  | { readonly act: 'wait'; readonly ms: number; readonly toInterrupt?: true }
  | { readonly act: 'answer' }
  | { readonly act: 'fail'; readonly reason: 'busy' | 'no_answer' | 'carrier_failure' }
  /** `waitsForTurn`: true for a person, false for a machine, which talks over the agent. */
  | { readonly act: 'say'; readonly text: string; readonly waitsForTurn: boolean }
  /** Waits until the agent has spoken and is silent again, or for at most this long. */
  | { readonly act: 'listen'; readonly mostMs: number }
  /** Determines the next actions asynchronously, in real time. */
  | { readonly act: 'ask'; readonly next: () => Promise<readonly CalleeAct[]> }
  | { readonly act: 'beep' }
  | { readonly act: 'music'; readonly ms: number }
  | { readonly act: 'hang_up' };

const wait = (ms: number): CalleeAct => ({ act: 'wait', ms });
const person = (text: string): CalleeAct => ({ act: 'say', text, waitsForTurn: true });
const machine = (text: string): CalleeAct => ({ act: 'say', text, waitsForTurn: false });
const listen: CalleeAct = { act: 'listen', mostMs: 15_000 };
const hangUp: CalleeAct = { act: 'hang_up' };
const pickUp: readonly CalleeAct[] = [wait(3_000), { act: 'answer' }];

const threeTurns: readonly CalleeAct[] = [
  wait(700),
  person('Hello?'),
  listen,
  wait(700),
  person('Who is calling, please?'),
  listen,
  wait(600),
  person('All right, thank you very much.'),
  listen,
  wait(500),
  hangUp,
];

const talks: readonly CalleeAct[] = [...pickUp, ...threeTurns];

/** The number of a silent callee. Its calls run in real time, whatever the number of the caller requests, so that they stay in progress. */
export const silentCallee = '+15005550007';

/** A complete call of about four seconds, for tests of calls that end soon. */
const briefly: readonly CalleeAct[] = [
  wait(300),
  { act: 'answer' },
  { act: 'listen', mostMs: 2_000 },
  wait(300),
  person('Thank you, goodbye.'),
  wait(200),
  hangUp,
];

/** The outcomes of the simulator by dialed number. */
const byNumber: ReadonlyMap<string, readonly CalleeAct[]> = new Map<string, readonly CalleeAct[]>([
  ['+15005550001', [wait(1_500), { act: 'fail', reason: 'busy' }]],
  ['+15005550002', [wait(30_000), { act: 'fail', reason: 'no_answer' }]],
  [
    '+15005550003',
    [
      ...pickUp,
      wait(500),
      machine('You have reached the mailbox of Sam. Please leave a message after the tone.'),
      wait(600),
      { act: 'beep' },
      wait(30_000),
      hangUp,
    ],
  ],
  ['+15005550004', [wait(400), { act: 'fail', reason: 'carrier_failure' }]],
  ['+15005550005', [...pickUp, wait(300), { act: 'music', ms: 120_000 }, hangUp]],
  ['+15005550006', talks],
  [silentCallee, [...pickUp, wait(180_000), hangUp]],
  [
    '+15005550008',
    [
      ...pickUp,
      wait(400),
      machine('Thank you for calling. For sales press one. For all other questions please stay on the line.'),
      wait(2_000),
      { act: 'music', ms: 6_000 },
      ...threeTurns,
    ],
  ],
  ['+15005550009', briefly],
]);

/** The script of a number. Any number that is not listed is a person who talks for three turns and hangs up. */
export const calleeScript = (number: string): readonly CalleeAct[] => byNumber.get(number) ?? talks;
