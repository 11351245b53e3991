import { chatIdleSeconds } from '@parley/contract';
import { shortfallsOf } from '../core/problems';
import type { ToolCallEntry } from '../tools/tool-call';
import type { LiveCall } from '../worker/live-call';
import { realTimeClock } from './call-clock';
import { ChatLine } from './chat-line';
import { ChatTurns } from './chat-turns';
import { adaptersOf, speaking, type CallEnvironment, type CallToRun } from './run-call';
import { configurationOf } from './configuration';
import { Session } from './session';

/** Conducts a chat: by the same rules as a call, on a line of written turns. */
export function runChat(
  environment: CallEnvironment,
  { job, log }: CallToRun,
  idleMs = chatIdleSeconds * 1000,
): LiveCall {
  const clock = realTimeClock(environment.clock);
  const line = new ChatLine(clock, idleMs);
  let entries: ReadonlyMap<string, ToolCallEntry> = new Map();
  const chat = new ChatTurns({ job, line, entries: () => entries });
  const session = new Session({
    ...{ job, platform: environment.platform, clock, log, chat, connected: true, reportsTurns: true },
    inputLog: environment.inputLog?.(job, log),
    observer: (state) => chat.observe(state),
    prepare: async (context) => {
      const adapters = adaptersOf(environment, clock, undefined);
      const { parts } = await speaking(environment, { job, log, clock, adapters }, context);
      entries = parts.tools.entries;
      return { ...parts, line, shortfalls: shortfallsOf(configurationOf(job), false) };
    },
  });
  session.done
    .finally(() => chat.close())
    .catch((error: unknown) => log.error({ err: error }, 'a chat was not closed'));
  return session;
}
