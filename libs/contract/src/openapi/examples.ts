import { EventEnvelope } from '../objects/event';
import type { Class } from '../rules/class-facts';
import type { JsonSchema } from '../schema/json-schema-of';
import { sampleOf } from '../schema/sample';

/** The example of a class as a response. Pages show no records. */
export function answerExample(cls: Class): Record<string, unknown> {
  const sample = sampleOf(cls, true);
  // The routes that return a single job show the example of a job.
  if (cls.name === 'WorkerJobsClaimed') return { ...sample, jobs: [] };
  if (!cls.name.endsWith('Page') || !Array.isArray(sample.data)) return sample;
  if (cls.name !== 'EventEnvelopePage') return { ...sample, data: [] };
  // The class does not state the type of an event's data, so the example is a link, which is valid for all types.
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
