import type { SimulationScenario } from '@parley/contract';
import type { CalleeAct } from '../lines/callee-scripts';

const wait = (ms: number): CalleeAct => ({ act: 'wait', ms });
export const listen: CalleeAct = { act: 'listen', mostMs: 15_000 };
const machine = (text: string): CalleeAct => ({ act: 'say', text, waitsForTurn: false });

const longestSilenceMs = 180_000;
export const afterTurnMs = 600;
/** The time after which the callee interrupts; the agent has begun to speak by then. */
const interruptAfterMs = 2_500;

/** The actions with which every callee answers the call. */
export const pickUp: readonly CalleeAct[] = [wait(1_000), { act: 'answer' }, wait(500)];

/** The actions of a callee with a script. `simulationProblem` of the contract has already checked that they are possible. */
export function calleeOf({
  callee,
  conditions = [],
  max_turns: most,
}: Pick<SimulationScenario, 'callee' | 'conditions' | 'max_turns'>): readonly CalleeAct[] {
  const turns = (callee.turns ?? []).slice(0, most);
  if (conditions.includes('voicemail')) {
    const greeting = turns[0] ?? 'You have reached the mailbox. Please leave a message after the tone.';
    return [...pickUp, machine(greeting), wait(600), { act: 'beep' }, wait(30_000), { act: 'hang_up' }];
  }
  if (conditions.includes('silence')) return [...pickUp, wait(longestSilenceMs), { act: 'hang_up' }];
  const interrupts = conditions.includes('interruptions');
  const menu = conditions.includes('menu')
    ? [
        machine('Thank you for calling. For sales press one. For all other questions please stay on the line.'),
        wait(2_000),
      ]
    : [];
  const spoken = turns.flatMap((text, nth): CalleeAct[] => [
    ...(interrupts && nth > 0 ? [] : [wait(afterTurnMs)]),
    { act: 'say', text, waitsForTurn: !interrupts || nth === 0 },
    interrupts && nth < turns.length - 1 ? { act: 'wait', ms: interruptAfterMs, toInterrupt: true } : listen,
  ]);
  return [...pickUp, ...menu, ...spoken, wait(afterTurnMs), { act: 'hang_up' }];
}
