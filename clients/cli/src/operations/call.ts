/** Performs operations by their names, and adds what the command line knows: organization and project. */
import type { AnyRequest, Parley } from '@parley/sdk';
import { Failure } from '../failure.js';
import { operations, type Operation } from '../generated/operations.gen.js';

export type Values = Record<string, unknown>;

export function operationOf(id: string): Operation {
  const found = operations.find((one) => one.id === id);
  if (found === undefined) throw new TypeError(`there is no operation ${id}`);
  return found;
}

export const pathParametersOf = ({ url }: Operation): string[] =>
  [...url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

export interface Given {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Values;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Adds the organization, and the project if there is only one. @throws Failure if something is missing */
export async function perform(parley: Parley, operation: Operation, given: Given, signal?: AbortSignal) {
  const { method, url } = operation;
  const body =
    operation.body && !isText(given.body) ? await completed(parley, operation, given.body as Values) : given.body;
  const needsOrganization = url.includes('{organization_id}') && given.path.organization_id === undefined;
  const path = needsOrganization ? { ...given.path, organization_id: await organizationOf(parley) } : given.path;
  const request: AnyRequest = {
    ...{ method, url, path, query: given.query, headers: given.headers ?? {} },
    ...(operation.body ? { body } : {}),
    ...(signal === undefined ? {} : { signal }),
  };
  return parley.request(request);
}

const isText = (body: unknown): boolean => typeof body === 'string' || body instanceof Blob;

async function organizationOf(parley: Parley): Promise<string> {
  const { organization } = await parley.me.getMe();
  if (organization === null) throw new Failure('usage', 'the key belongs to no organization: --organization-id org_…');
  return organization.organization_id;
}

async function completed(parley: Parley, { fields, required }: Operation, given: Values): Promise<Values> {
  const body: Values = { ...given };
  const isMissing = (name: string): boolean => required.includes(name) && body[name] === undefined;
  if (isMissing('organization_id')) body.organization_id = await organizationOf(parley);
  if (isMissing('project_id')) {
    const { projects } = await parley.me.getMe();
    if (projects.length !== 1)
      throw new Failure(
        'usage',
        `--project-id: ${projects.map(({ project_id: id }) => id).join(' or ') || 'there is none'}`,
      );
    body.project_id = projects[0]?.project_id;
  }
  const missing = Object.keys(fields).filter(isMissing);
  if (missing.length > 0) throw new Failure('usage', `${missing.map(optionOf).join(', ')}: required`);
  return body;
}

export const optionOf = (name: string): string => `--${name.replaceAll('_', '-')}`;
