import { randomUUID } from 'node:crypto';
import type { Api, Answer } from '../api';
import { operations } from '../fuzz/openapi';

/** The fields in which a successful write returns a secret once, at its creation or rotation: everything that any other write returns is searched. */
export const shownOnce: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/agents': ['tools.secret'],
  'POST /v1/agents/{agent_id}/tools/{name}/rotate-secret': ['secret'],
  'POST /v1/agents/{agent_id}/rotate-secret': ['secret'],
  'POST /v1/agent-endpoints': ['secret'],
  'POST /v1/agent-endpoints/{agent_endpoint_id}/rotate-secret': ['secret'],
  'POST /v1/api-keys': ['token'],
  'POST /v1/sessions': ['token'],
  'POST /v1/gateway-tokens': ['token'],
  'POST /v1/agents/{agent_id}/test-calls': ['token'],
  'POST /v1/agents/{agent_id}/demo': ['token'],
  'POST /v1/agents/{agent_id}/workflow/phone-pin': ['pin'],
};

const routes = Object.keys(shownOnce).map((route) => ({
  route,
  pattern: new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`),
}));
const repeatable = new Set(
  operations
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
    .map(({ method, path }) => `${method} ${path}`),
);

/** Sends writes, and keeps what those that succeed return, without the fields above. */
export class Writes {
  /** The texts that are searched. */
  readonly answers: string[] = [];
  /** The `route field` that have returned a secret. */
  readonly shown = new Set<string>();

  async send(
    api: Api,
    method: string,
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const route = routes.find(({ pattern }) => pattern.test(`${method} ${path}`))?.route;
    const repeats = route !== undefined && repeatable.has(route);
    const options = { body, headers: { ...(repeats && { 'idempotency-key': randomUUID() }), ...headers } };
    const answer = await api.request(method, path, options);
    if (answer.status >= 300) return answer;
    this.answers.push(this.textWithoutShown(answer.body, route));
    // A repetition returns the stored response, which has no secret.
    if (repeats) this.answers.push(JSON.stringify((await api.request(method, path, options)).body));
    return answer;
  }

  private textWithoutShown(body: unknown, route: string | undefined): string {
    const copy: unknown = JSON.parse(JSON.stringify(body ?? null));
    for (const field of route === undefined ? [] : (shownOnce[route] ?? []))
      if (removeField(copy, field.split('.'))) this.shown.add(`${route} ${field}`);
    return JSON.stringify(copy);
  }
}

/** @returns whether there was such a field */
function removeField(value: unknown, [name = '', ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.map((one) => removeField(one, [name, ...rest])).includes(true);
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  if (rest.length > 0) return removeField(record[name], rest);
  const found = typeof record[name] === 'string';
  delete record[name];
  return found;
}
