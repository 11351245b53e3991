import type { CalleeAct } from '../lines/callee-scripts';
import { SimulationError, type Scenario } from './scenario';

const wait = (ms: number): CalleeAct => ({ act: 'wait', ms });
const listen: CalleeAct = { act: 'listen', mostMs: 15_000 };
const machine = (text: string): CalleeAct => ({ act: 'say', text, waitsForTurn: false });

const longestSilenceMs = 180_000;
const afterTurnMs = 600;
/** The agent has begun to speak by then. */
const interruptAfterMs = 2_500;

/** What the callee of a scenario does. @throws SimulationError for what a line of text cannot do, and for conditions that exclude each other */
export function calleeOf({ name, turns, conditions = [] }: Scenario): readonly CalleeAct[] {
  if (conditions.includes('noise')) throw new SimulationError(name, 'noise needs a line with sound');
  if (conditions.includes('voicemail') && conditions.includes('menu'))
    throw new SimulationError(name, 'a mailbox has no menu');
  const answered: CalleeAct[] = [wait(1_000), { act: 'answer' }, wait(500)];
  if (conditions.includes('voicemail')) {
    const greeting = turns[0] ?? 'You have reached the mailbox. Please leave a message after the tone.';
    return [...answered, machine(greeting), wait(600), { act: 'beep' }, wait(30_000), { act: 'hang_up' }];
  }
  if (conditions.includes('silence')) return [...answered, wait(longestSilenceMs), { act: 'hang_up' }];
  if (turns.length === 0) throw new SimulationError(name, 'a callee that is not silent needs turns');
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
    interrupts && nth < turns.length - 1 ? wait(interruptAfterMs) : listen,
  ]);
  return [...answered, ...menu, ...spoken, wait(afterTurnMs), { act: 'hang_up' }];
}
