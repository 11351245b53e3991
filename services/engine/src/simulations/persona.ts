import type { SimulationCallee } from '@parley/contract';
import type { ModelMessage } from '@parley/providers';
import type { CalleeAct } from '../lines/callee-scripts';
import { afterTurnMs, listen, pickUp } from './callee-of-scenario';
import type { SimulatedModel } from './simulated-agent';

const usualTurns = 10;
const turnMs = 30_000;
const longestTurn = 1_000;
const over = '[hang up]';

/** A callee played by a model. It is given the agent's words, and hangs up when it has reached its goal or after its last turn. */
export class Persona {
  private heard = '';
  private readonly messages: ModelMessage[];
  private turns = 0;

  constructor(
    private readonly model: SimulatedModel,
    { persona = 'a person', goal, style }: SimulationCallee,
    private readonly most: number = usualTurns,
    private readonly language: string,
  ) {
    const system = [
      `You play the person who is called by telephone: ${persona}.`,
      ...(goal === undefined ? [] : [`You want: ${goal}`]),
      ...(style === undefined ? [] : [`You talk like this: ${style}`]),
      `Speak ${language === '' ? 'the language of the caller' : language}. Say one short turn at a time, and nothing but what is said aloud.`,
      `When the conversation is over for you, answer ${over}.`,
    ];
    this.messages = [{ role: 'system', text: system.join('\n') }];
  }

  readonly script: readonly CalleeAct[] = [
    ...pickUp,
    { act: 'say', text: 'Hello?', waitsForTurn: true },
    listen,
    { act: 'ask', next: () => this.next() },
  ];

  /** Takes the agent's words, chunk by chunk. */
  hears(text: string): void {
    this.heard += text;
  }

  private async next(): Promise<readonly CalleeAct[]> {
    this.turns += 1;
    const text = this.turns > this.most ? over : await this.said();
    if (text === '' || text.includes(over)) return [{ act: 'wait', ms: afterTurnMs }, { act: 'hang_up' }];
    return [
      { act: 'wait', ms: afterTurnMs },
      { act: 'say', text, waitsForTurn: true },
      listen,
      { act: 'ask', next: () => this.next() },
    ];
  }

  private async said(): Promise<string> {
    const { model, name, options } = this.model;
    this.messages.push({ role: 'user', text: this.heard === '' ? '(nothing is said)' : this.heard });
    this.heard = '';
    let text = '';
    const request = { model: name, messages: this.messages, tools: [], options };
    for await (const event of model.generate(request, AbortSignal.timeout(turnMs)))
      if (event.type === 'delta') text += event.text;
    text = text.trim().slice(0, longestTurn);
    this.messages.push({ role: 'assistant', text: text === '' ? over : text });
    return text;
  }
}
