import { EventEnvelope } from '../objects/event';
import { allRoutes } from '../routes';
import type { Class } from '../rules/class-facts';
import type { JsonSchema } from '../schema/json-schema-of';
import { sampleOf } from '../schema/sample';

const recordOf = (page: string): string | undefined => /^(\w+)Page$/.exec(page)?.[1];

/** Records that have an example of their own; a page of them need not repeat it. */
const shownElsewhere = new Set(allRoutes.map(({ answer }) => answer.class.name));

/** What an answer of the class looks like. */
export function answerExample(cls: Class): Record<string, unknown> {
  const sample = sampleOf(cls, true);
  // A job is shown by the routes that answer one.
  if (cls.name === 'WorkerJobsClaimed') return { ...sample, jobs: [] };
  const record = recordOf(cls.name);
  if (record === undefined || !Array.isArray(sample.data)) return sample;
  if (shownElsewhere.has(record)) return { ...sample, data: [], next_cursor: null };
  // What an event carries depends on its type, which no class says; a link is what events of every type may carry.
  if (!cls.name.startsWith('Event')) return sample;
  const data = { url: '/v1/calls/call_01kc' };
  return { ...sample, data: [{ ...sampleOf(EventEnvelope, true), type: 'call.created', data }] };
}

/** The examples of bodies by the names of their schemas, which carry them for every request and answer that refers to them. */
export class SchemaExamples {
  readonly #byName = new Map<string, Map<string, unknown>>();

  add(name: string, example: unknown): void {
    const known = this.#byName.get(name) ?? new Map<string, unknown>();
    this.#byName.set(name, known.set(JSON.stringify(example), example));
  }

  shownIn(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => {
        const known = this.#byName.get(name);
        return [name, known === undefined ? schema : { ...schema, examples: [...known.values()] }];
      }),
    );
  }
}
