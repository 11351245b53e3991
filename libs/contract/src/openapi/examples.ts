import { EventEnvelope } from '../objects/event';
import { allRoutes } from '../routes';
import type { Class } from '../rules/class-facts';
import type { JsonSchema } from '../schema/json-schema-of';
import { sampleOf } from '../schema/sample';

const recordOf = (page: string): string | undefined => /^(\w+)Page$/.exec(page)?.[1];

/** Records with an example of their own; a page of them does not repeat it. */
const shownElsewhere = new Set(allRoutes.map(({ answer }) => answer.class.name));

/** The example response of a class. */
export function answerExample(cls: Class): Record<string, unknown> {
  const sample = sampleOf(cls, true);
  // The routes that return a single job show it.
  if (cls.name === 'WorkerJobsClaimed') return { ...sample, jobs: [] };
  const record = recordOf(cls.name);
  if (record === undefined || !Array.isArray(sample.data)) return sample;
  if (shownElsewhere.has(record)) return { ...sample, data: [], next_cursor: null };
  // The data of an event depends on its type, which the class does not state; a link is valid for every type.
  if (!cls.name.startsWith('Event')) return sample;
  const data = { url: '/v1/calls/call_01kc' };
  return { ...sample, data: [{ ...sampleOf(EventEnvelope, true), type: 'call.created', data }] };
}

/** Examples by schema name, attached to the schema for every request and response that refers to it. */
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
