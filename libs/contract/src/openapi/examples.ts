import { EventEnvelope } from '../objects/event';
import { allRoutes } from '../routes';
import type { Class } from '../rules/class-facts';
import type { JsonSchema } from '../schema/json-schema-of';
import { sampleOf } from '../schema/sample';

const recordOf = (page: string): string | undefined => /^(\w+)Page$/.exec(page)?.[1];

/** Records that have their own example, so that a page of them does not repeat it. */
const shownElsewhere = new Set(allRoutes.map(({ answer }) => answer.class.name));

/** The example of a class as a response. */
export function answerExample(cls: Class): Record<string, unknown> {
  const sample = sampleOf(cls, true);
  // The routes that return a single job show the example of a job.
  if (cls.name === 'WorkerJobsClaimed') return { ...sample, jobs: [] };
  const record = recordOf(cls.name);
  if (record === undefined || !Array.isArray(sample.data)) return sample;
  if (shownElsewhere.has(record)) return { ...sample, data: [], next_cursor: null };
  // The class does not state the type of an event's data, so the example is a link, which is valid for all types.
  if (!cls.name.startsWith('Event')) return sample;
  const data = { url: '/v1/calls/call_01kc' };
  return { ...sample, data: [{ ...sampleOf(EventEnvelope, true), type: 'call.created', data }] };
}

/** Collects examples by the name of their schema. They are attached to the schema, for all requests and responses that refer to it. */
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
