import { simulationProblem } from './simulation-problem';
import type { SimulationScenario } from '../objects/simulation-scenario';

const script = { type: 'script', turns: ['Hello.'] };
const assertions = [{ type: 'ended' }];
const scenario = (change: object) => ({ name: 'a', callee: script, assertions, ...change }) as SimulationScenario;
const persona = (change: object) => ({ callee: { type: 'persona', goal: 'A table for two', ...change } });

describe('a scenario', () => {
  it.each<[string, object, string | undefined]>([
    ['a script', {}, undefined],
    ['a persona with a goal', persona({}), undefined],
    ['a persona of its own', persona({ goal: undefined, persona: 'In a hurry' }), undefined],
    ['a persona without both', persona({ goal: undefined }), 'a persona needs persona or goal'],
    ['a persona with turns', persona({ turns: ['Hello.'] }), 'turns go with a script'],
    ['a persona with a condition', { ...persona({}), conditions: ['noise'] }, 'conditions go with a script'],
    ['a script with a style', { callee: { ...script, style: 'rude' } }, 'persona, goal and style go with a persona'],
    ['a script without turns', { callee: { type: 'script' } }, 'a callee that is not silent needs turns'],
    ['silence', { callee: { type: 'script' }, conditions: ['silence'] }, undefined],
    ['a mailbox', { callee: { type: 'script' }, conditions: ['voicemail'] }, undefined],
    ['no assertion', { assertions: [] }, 'it asserts nothing'],
    ['two stubs', { stubs: [{ name: 'x' }, { name: 'x' }] }, 'a tool has two stubs'],
    ['a broken pattern', { assertions: [{ type: 'said_matching', pattern: '(' }] }, '( is not a regular expression'],
  ])('with %s', (_what, change, reason) => {
    const problem = reason === undefined ? undefined : { scenario: 'a', reason };
    expect(simulationProblem([scenario(change)], true)).toEqual(problem);
  });

  it.each([
    ['silence', 'menu', 'a silent callee has no menu and does not interrupt'],
    ['silence', 'interruptions', 'a silent callee has no menu and does not interrupt'],
    ['voicemail', 'menu', 'a mailbox has no menu, is not silent and does not interrupt'],
    ['voicemail', 'silence', 'a mailbox has no menu, is not silent and does not interrupt'],
    ['voicemail', 'interruptions', 'a mailbox has no menu, is not silent and does not interrupt'],
    ['noise', 'menu', undefined],
  ])('with %s and %s', (one, other, reason) => {
    expect(simulationProblem([scenario({ conditions: [one, other] })], true)?.reason).toBe(reason);
  });

  it('with noise needs sound; a name is given once', () => {
    expect(simulationProblem([scenario({ conditions: ['noise'] })], false)?.reason).toBe('noise needs a spoken run');
    const twice = [scenario({}), scenario({})];
    expect(simulationProblem(twice, true)).toEqual({ scenario: 'a', reason: 'its name is given twice' });
  });
});
