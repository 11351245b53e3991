import { Batcher, recall, type CreatingRequest, type Remembered, type Settled } from '@parley/service';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { lookForAdmission, type AdmissionLook } from './admission-look.sql';
import type { AskAgent, AskedAgent } from './agent-questions';

export interface LookRequest {
  readonly request: CreatingRequest;
  /** The number to call from; undefined: any. */
  readonly from: string | undefined;
  /** The number to call. */
  readonly to: string;
  /** The agent to ask about meanwhile; undefined: none. */
  readonly agentId: string | undefined;
  readonly context: OutgoingContext;
}

export interface Looked {
  readonly look: AdmissionLook;
  /** What agents say of the agent; undefined where none was named. No one needs to wait for it. */
  readonly asked: Promise<AskedAgent> | undefined;
}

export type AdmissionLooks = Batcher<LookRequest, Looked>;

/**
 * Looks at telephony's own rows for the requests of an organization that wait, one statement for all of them, and asks
 * agents at the same time, once an agent.
 */
export function admissionLooks(db: Queryable, ask: AskAgent): AdmissionLooks {
  const run = async (organizationId: string, items: readonly LookRequest[]): Promise<readonly Settled<Looked>[]> => {
    const asking = new Map<string, Promise<AskedAgent>>();
    for (const { agentId, context } of items) {
      if (agentId === undefined || asking.has(agentId)) continue;
      const asked = ask(organizationId, agentId, context);
      // A remembered answer is given whatever agents say.
      asked.catch(() => undefined);
      asking.set(agentId, asked);
    }
    const look = await lookForAdmission(db, organizationId, {
      route: items[0]?.request.route ?? '',
      keys: items.flatMap(({ request }) => (request.key === '' ? [] : [request.key])),
      from: items.flatMap(({ from }) => (from === undefined ? [] : [from])),
      anyNumber: items.some(({ from }) => from === undefined),
      to: items.map(({ to }) => to),
    });
    return items.map(({ agentId }) => ({ value: { look, asked: asking.get(agentId ?? '') } }));
  };
  return new Batcher({ run, bytesOf: ({ request, to }) => request.key.length + to.length, mostItems: 256 });
}

/** What the look found, and the answer that was given before where the key was used already. */
export async function lookUp<Answer>(
  db: Queryable,
  looks: AdmissionLooks,
  item: LookRequest,
  replayOf: (remembered: Remembered) => Answer,
): Promise<Looked & { readonly replay: Answer | undefined }> {
  const { request } = item;
  const looked = await looks.submit(request.organizationId, item);
  const remembered = looked.look.remembered.has(request.key) ? await recall(db, request) : undefined;
  return { ...looked, replay: remembered && replayOf(remembered) };
}
