import type { TranscriptTurn, WorkerJob, WorkerJobComplete, WorkerJobEvent } from '@parley/contract';
import type { Clock, Logger } from '@parley/runtime';
import { renderTemplate } from '../core/render-template';
import { CallTools } from '../session/call-tools';
import { InstantClock, type CallClock } from '../session/call-clock';
import { ModelReplies } from '../session/model-replies';
import { Session } from '../session/session';
import { TextLine } from '../session/text-line';
import { modelToolsOf } from '../tools';
import type { Platform } from '../worker/platform';
import { calleeOf } from './callee-of-scenario';
import type { Scenario, SimulatedAgent } from './scenario';
import { StubbedTools } from './stubbed-tools';

/** What became of one simulated conversation. */
export interface Conversation {
  readonly turns: readonly TranscriptTurn[];
  readonly endedReason: string;
  readonly reasonDetail: string | null;
  readonly problems: readonly string[];
}

export interface SimulationTools {
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the model replies without waiting for anything outside: then the same scenario gives the same times. */
  readonly instantModel: boolean;
}

/**
 * Conducts a scenario by the rules of calls, on a line of text and a clock that jumps. Nothing is dialled, recorded, reported to the platform or paid for,
 * and tools are answered by the scenario's stubs.
 * @throws SimulationError
 */
export async function simulate(
  agent: SimulatedAgent,
  scenario: Scenario,
  { clock: real, log, instantModel }: SimulationTools,
): Promise<Conversation> {
  const instant = new InstantClock(real);
  const clock: CallClock = instantModel
    ? { now: () => instant.now(), after: (ms, run) => instant.after(ms, run), hold: () => () => undefined }
    : instant;
  const job = jobOf(agent, scenario);
  const line = new TextLine(calleeOf(scenario), clock);
  const hold = (): (() => void) => clock.hold();
  const events: WorkerJobEvent[] = [];
  let completed: WorkerJobComplete | undefined;
  const platform = platformThat(
    (event) => events.push(event),
    (body) => (completed = body),
  );
  const tools = agent.tools ?? [];
  const session = new Session({
    ...{ job, platform, clock, log },
    prepare: (context) => {
      const runner = new StubbedTools(scenario.stubs ?? {});
      const callTools = new CallTools({ runner, hold, log, onEnded: (input) => context.onToolEnded(input) });
      const replies = new ModelReplies({
        model: agent.model,
        name: agent.modelName,
        options: agent.modelOptions ?? {},
        systemPrompt: renderTemplate(agent.systemPrompt, scenario.variables ?? {}),
        tools: modelToolsOf(tools, []),
        callId: job.call.call_id,
        onInput: (input) => context.onModelInput(input),
        onFailure: (attempt, error) =>
          context.note({ code: 'component_failed', detail: `the model failed in attempt ${attempt}: ${error.code}` }),
        hold,
        log,
      });
      return Promise.resolve({ line, replies, tools: callTools, shortfalls: [] });
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

/** What a call of the agent would be claimed with. What the conductor does not read is left out. */
function jobOf(agent: SimulatedAgent, { name, language, variables = {} }: Scenario): WorkerJob {
  const job = {
    job_id: 'simulation',
    kind: 'simulation',
    epoch: 1,
    lease_seconds: 3_600,
    call: {
      call_id: `simulated_${name}`,
      direction: 'outbound',
      channel: 'phone',
      language: language ?? agent.language,
    },
    runtime_configuration: {
      publication: { language: agent.language, first_message: agent.firstMessage, system_prompt: agent.systemPrompt },
      tuning: { tools: agent.tools ?? [] },
      effective: agent.effective ?? {},
      variables,
      mode: 'hosted',
    },
  };
  // Through JSON, as over HTTP.
  return JSON.parse(JSON.stringify(job)) as WorkerJob;
}

const statuses = {
  dialing: 'dialing',
  answered: 'answered',
  media_started: 'answered',
  ended: 'ended',
  failed: 'failed',
} as const;

/** A platform that takes what is reported and has nothing else. */
function platformThat(
  onEvent: (event: WorkerJobEvent) => void,
  onComplete: (body: WorkerJobComplete) => void,
): Platform {
  const nothing = (): Promise<never> => Promise.reject(new Error('a simulation asks the platform nothing'));
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
