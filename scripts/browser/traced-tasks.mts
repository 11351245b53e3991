/** The tasks of a page's main thread, from a trace of the browser: how long each took, and how much CPU time. */
import type { CDPSession, Page } from 'playwright-core';

export interface TracedTask {
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds; `tdur` is the CPU time of the thread. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: {
    readonly name?: string;
    readonly data?: { readonly frames?: readonly { readonly processId?: number }[] };
  };
}

export interface Trace {
  /** Every task. */
  readonly tasks: readonly TracedTask[];
  /** Collections of garbage of the whole heap, as far as they stopped the page. */
  readonly collections: readonly TracedTask[];
}

const wanted = new Set(['RunTask', 'MajorGC', 'TracingStartedInBrowser', 'thread_name']);

/** The two categories have few events besides the tasks and collections: to write more would slow the page down. */
const categories = ['disabled-by-default-devtools.timeline', 'v8'];

const eventsOf = (value: unknown): readonly TraceEvent[] => value as readonly TraceEvent[];

/** Starts a trace. @returns a function that ends it */
export async function traceTasks(page: Page): Promise<() => Promise<Trace>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of eventsOf(value)) if (wanted.has(event.name)) events.push(event);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      recordMode: 'recordAsMuchAsPossible',
      includedCategories: categories,
      excludedCategories: ['*'],
    },
  });
  return async () => {
    await endTrace(session);
    const started = events.find(({ name }) => name === 'TracingStartedInBrowser');
    const renderer = started?.args.data?.frames?.[0]?.processId;
    const main = events.find(
      ({ name, pid, args }) => name === 'thread_name' && pid === renderer && args.name === 'CrRendererMain',
    );
    const of = (kind: string): TracedTask[] =>
      events
        .filter(({ name, pid, tid }) => name === kind && pid === renderer && tid === main?.tid)
        .map(({ dur = 0, tdur = 0 }) => ({ elapsedMs: dur / 1_000, cpuMs: tdur / 1_000 }));
    return { tasks: of('RunTask'), collections: of('MajorGC') };
  };
}

async function endTrace(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
}
