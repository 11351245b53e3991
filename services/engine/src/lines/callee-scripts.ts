/** One action of the scripted callee; milliseconds of call time. */
export type CalleeAct =
  | { readonly act: 'wait'; readonly ms: number }
  | { readonly act: 'answer' }
  | { readonly act: 'fail'; readonly reason: 'busy' | 'no_answer' | 'carrier_failure' }
  /** A person waits for its turn, a machine talks over the agent. */
  | { readonly act: 'say'; readonly text: string; readonly waitsForTurn: boolean }
  /** Waits until the agent has spoken and fallen silent, or for at most this long. */
  | { readonly act: 'listen'; readonly mostMs: number }
  /** The next event depends on work in real time. */
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

/** Runs in real time whatever the pace of the calling number: a call in progress. */
export const silentCallee = '+15005550007';

/** A whole call of about four seconds, for tests of calls in progress that end soon. */
const briefly: readonly CalleeAct[] = [
  wait(300),
  { act: 'answer' },
  { act: 'listen', mostMs: 2_000 },
  wait(300),
  person('Thank you, goodbye.'),
  wait(200),
  hangUp,
];

/** The simulator's outcomes by dialled number. */
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

/** The callee's script for a number; any other number is a person who talks for three turns and hangs up. */
export const calleeScript = (number: string): readonly CalleeAct[] => byNumber.get(number) ?? talks;
