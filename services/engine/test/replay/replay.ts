import { startCall, step } from '../../src/core/step';
import { shapeOf } from '../../src/replay/effect-shape';
import { logForm, type LogEntry, type LogEnd, type LogHeader } from '../../src/replay/input-log';

/** The first input whose effects differ. Everything after it is a different call. */
export interface Difference {
  /** Counted from 1. */
  readonly nth: number;
  readonly at: number;
  readonly input: string;
  /** Shapes of effects that are only in the log, and those that are only in the replay. */
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

export interface Replay {
  readonly callId: string;
  readonly inputs: number;
  readonly effects: number;
  /** Whether the log is complete. */
  readonly whole: boolean;
  readonly difference: Difference | undefined;
}

/** The text is not a log in a format that this release can read. */
export class UnreadableLogError extends Error {}

/** Replays a log through the core, up to the first difference. @throws UnreadableLogError */
export function replay(log: string): Replay {
  const [first = '', ...lines] = log.trimEnd().split('\n');
  const { form, call_id: callId, at, plan, resumed } = parsed(first, 1) as Partial<LogHeader>;
  if (form !== logForm || callId === undefined || plan === undefined)
    throw new UnreadableLogError('not the log of a call');
  let { state } = startCall(plan, at, resumed);
  let inputs = 0;
  let effects = 0;
  for (const [n, line] of lines.entries()) {
    const entry = parsed(line, n + 2) as LogEntry | LogEnd;
    if (!isEntry(entry))
      return {
        callId,
        inputs,
        effects,
        whole: n === lines.length - 1 && entry.inputs === inputs,
        difference: undefined,
      };
    const [moment, input, ...recorded] = entry;
    const next = step(state, { at: moment, input });
    state = next.state;
    inputs += 1;
    effects += recorded.length;
    const was = recorded.map((one) => JSON.stringify(one));
    const is = next.effects.map(shapeOf);
    if (was.join('\n') !== is.join('\n')) {
      const difference = {
        nth: inputs,
        at: moment,
        input: input.type,
        missing: without(was, is),
        added: without(is, was),
      };
      return { callId, inputs, effects, whole: false, difference };
    }
  }
  return { callId, inputs, effects, whole: false, difference: undefined };
}

function isEntry(entry: LogEntry | LogEnd): entry is LogEntry {
  return Array.isArray(entry);
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UnreadableLogError(`line ${number} is not JSON`);
  }
}

/** The shapes in `these` that are not in `those`; all of them if only the order differs. */
function without(these: readonly string[], those: readonly string[]): string[] {
  const rest = [...those];
  const left = these.filter((one) => {
    const index = rest.indexOf(one);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  return left.length === 0 && rest.length === 0 ? [...these] : left;
}
