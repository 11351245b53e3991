import type {
  SimulationScenario,
  TranscriptTurn,
  WorkerJob,
  WorkerJobComplete,
  WorkerJobEvent,
  SimulationStub,
  ToolOutcomeName,
  SimulationCallee,
} from '@parley/contract';
import type { Clock, Logger } from '@parley/runtime';
import type { ModelMessage } from '@parley/providers';
import { renderTemplate } from '../core/render-template';
import { CallTools } from '../session/call-tools';
import { InstantClock, type CallClock } from '../session/call-clock';
import { ModelReplies } from '../session/model-replies';
import { Session } from '../session/session';
import type { SessionContext, SessionParts } from '../session/session-parts';
import { TextLine } from '../session/text-line';
import { WorkflowReplies } from '../session/workflow-replies';
import { modelToolsOf } from '../tools';
import type { Platform } from '../worker/platform';
import type { ToolCallRequest, ToolOutcome, ToolRunner } from '../tools/tool-call';
import type { CalleeAct } from '../lines/callee-scripts';
import { calleeOf, afterTurnMs, listen, pickUp } from './callee-of-scenario';
import type { SimulatedAgent, SimulatedModel } from './simulated-agent';

/** The result of one simulated conversation. */
export interface Conversation {
  readonly turns: readonly TranscriptTurn[];
  readonly endedReason: string;
  readonly reasonDetail: string | null;
  readonly problems: readonly string[];
}

export interface SimulationTools {
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Runs a scenario by the rules of calls, on a text line with an instant clock. Nothing is dialed, recorded, reported to the platform or charged, and tools
 * return the stubs of the scenario.
 */
export async function simulate(
  agent: SimulatedAgent,
  scenario: SimulationScenario,
  { clock: real, log }: SimulationTools,
): Promise<Conversation> {
  const clock = new InstantClock(real);
  const model = await agent.modelFor(clock);
  const persona = personaOf(agent, scenario, model);
  const line =
    persona === undefined
      ? new TextLine(calleeOf(scenario), clock)
      : new TextLine(persona.script, clock, (text) => persona.hears(text));
  const hold = (): (() => void) => (agent.instantModel ? () => undefined : clock.hold());
  return converse({
    ...{ agent, scenario, model, clock, hold, log, connected: false },
    prepareLine: () => Promise.resolve({ line, shortfalls: [] }),
  });
}

/** The persona of a scenario that has one. */
export function personaOf(
  { configuration: { publication } }: SimulatedAgent,
  { callee, max_turns: most, language = publication.language }: SimulationScenario,
  model: SimulatedModel,
): Persona | undefined {
  return callee.type === 'persona' ? new Persona(model, callee, most, language) : undefined;
}

interface Conversing {
  readonly agent: SimulatedAgent;
  readonly scenario: SimulationScenario;
  readonly model: SimulatedModel;
  readonly clock: CallClock;
  /** See CallClock. */
  readonly hold: () => () => void;
  readonly log: Logger;
  /** Whether the line is connected when the conversation begins. */
  readonly connected: boolean;
  readonly prepareLine: (context: SessionContext) => Promise<Pick<SessionParts, 'line' | 'shortfalls'>>;
}

/** Has a conversation on any line. */
export async function converse({ agent, scenario, prepareLine, ...given }: Conversing): Promise<Conversation> {
  const { model, clock, hold, log, connected } = given;
  const { publication, tuning } = agent.configuration;
  const { variables = {} } = scenario;
  const job = jobOf(agent, scenario);
  const events: WorkerJobEvent[] = [];
  let completed: WorkerJobComplete | undefined;
  const platform = platformThat(
    (event) => events.push(event),
    (body) => (completed = body),
  );
  const tools = tuning.tools;
  const callId = job.call.call_id;
  const session = new Session({
    ...{ job, platform, clock, log, connected },
    prepare: async (context) => {
      const runner = new StubbedTools(scenario.stubs ?? []);
      const callTools = new CallTools({ runner, hold, log, onEnded: (input) => context.onToolEnded(input) });
      const onInput: SessionContext['onModelInput'] = (input) => context.onModelInput(input);
      const definition = tuning.workflow?.definition;
      const replies =
        definition === undefined
          ? new ModelReplies({
              ...{ model: model.model, name: model.name, options: model.options, callId, onInput, hold, log },
              systemPrompt: renderTemplate(publication.system_prompt ?? '', variables),
              tools: modelToolsOf(tools, [], true),
              onFailure: (attempt, error) =>
                context.note({
                  code: 'component_failed',
                  detail: `the model failed in attempt ${attempt}: ${error.code}`,
                }),
            })
          : new WorkflowReplies({ definition, variables, callId, keys: context.plan.keys, onInput, log });
      return { ...(await prepareLine(context)), replies, tools: callTools };
    },
  });
  await session.done;
  const last = events.at(-1);
  return {
    turns: completed?.transcript?.turns ?? [],
    endedReason: last?.ended_reason ?? 'worker_failed',
    reasonDetail: last?.reason_detail ?? null,
    problems: (last?.problems ?? []).map(({ code, detail }) => `${code}: ${detail}`),
  };
}

/** The job in the form in which a worker would claim a call of the agent. Fields that are not read here are omitted. */
function jobOf({ configuration }: SimulatedAgent, { language, variables = {} }: SimulationScenario): WorkerJob {
  const { publication, tuning, effective = {} } = configuration;
  const job = {
    job_id: 'simulation',
    kind: 'simulation',
    epoch: 1,
    lease_seconds: 3_600,
    call: {
      call_id: 'simulated',
      direction: 'outbound',
      channel: 'phone',
      language: language ?? publication.language,
    },
    runtime_configuration: { publication, tuning, effective, variables, mode: 'hosted' },
  };
  // Converted to JSON and back, as if it had been sent over HTTP.
  return JSON.parse(JSON.stringify(job)) as WorkerJob;
}

const statuses = {
  dialing: 'dialing',
  answered: 'answered',
  media_started: 'answered',
  ended: 'ended',
  failed: 'failed',
} as const;

/** A fake platform that accepts all reports and has no other routes. */
function platformThat(
  onEvent: (event: WorkerJobEvent) => void,
  onComplete: (body: WorkerJobComplete) => void,
): Platform {
  const nothing = (): Promise<never> => Promise.reject(new Error('a simulation sends no requests to the platform'));
  return {
    ...{ claim: nothing, adopt: nothing, heartbeat: nothing, underLease: nothing },
    ...{ putRecordingPart: nothing, sendLiveAudio: nothing },
    takeCommands: () => Promise.resolve({ commands: [] }),
    report: (_job, { events }) => {
      for (const event of events) onEvent(event);
      const status = statuses[events[0]?.type ?? 'failed'];
      return Promise.resolve({ call_status: status, cancel_requested: false });
    },
    complete: (_job, body) => {
      onComplete(body);
      return Promise.resolve({ call_status: 'completed' });
    },
    close: () => Promise.resolve(),
  };
}

/** Returns the stubs of the scenario for tool calls. No request is sent, and no tool runs. */
class StubbedTools implements ToolRunner {
  constructor(private readonly stubs: readonly SimulationStub[]) {}

  run({ toolCallId, name, arguments: given }: ToolCallRequest): Promise<ToolOutcome> {
    const stub = this.stubs.find((one) => one.name === name);
    const outcome: ToolOutcomeName = stub === undefined ? 'unavailable' : (stub.outcome ?? 'succeeded');
    const result = stub?.result ?? 'the scenario has no stub for this tool';
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    const entry = { tool_call_id: toolCallId, name, arguments: parsed(given), result: text, outcome, duration_ms: 0 };
    return Promise.resolve({ outcome, text, entry });
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const usualTurns = 10;
const turnMs = 30_000;
const longestTurn = 1_000;
const over = '[hang up]';

/** A callee played by a model. It is given the agent's words, and hangs up when it has reached its goal or after its last turn. */
class Persona {
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
