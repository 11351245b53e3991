/** The first credentials of a new platform (docs/reference/starting.md). */
import { readJson, writeJson } from './files.mts';
import { Rest, RestError, text } from './rest.mts';

/** The content of <home>/dev.json. */
export interface DevelopmentKeys {
  base_url: string;
  organization_id: string;
  project_id: string;
  /** A key with the scope `all` in the organization. */
  admin_key: string;
  /** A key with the scope `all` and the operator scopes, which belongs to no organization. */
  operator_key: string;
}

/** The keys of an earlier start, if the platform still accepts them. */
export async function keysOfEarlierStart(file: string, baseUrl: string): Promise<DevelopmentKeys | undefined> {
  const keys = readJson<DevelopmentKeys>(file);
  if (!keys?.admin_key || !keys.operator_key || !keys.project_id) return undefined;
  try {
    await new Rest(baseUrl, keys.operator_key).get('/v1/organizations?limit=1');
    await new Rest(baseUrl, keys.admin_key).get('/v1/agents?limit=1');
  } catch (error) {
    if (error instanceof RestError && error.status < 500) return undefined;
    throw error;
  }
  if (keys.base_url !== baseUrl) writeJson(file, { ...keys, base_url: baseUrl });
  return { ...keys, base_url: baseUrl };
}

/** Creates the first organization with a project and an administrator's key over REST, as the operator. */
export async function createAccount(file: string, baseUrl: string, operatorKey: string): Promise<DevelopmentKeys> {
  const operator = new Rest(baseUrl, operatorKey);
  const organization = await operator.post('/v1/organizations', { name: 'Development' });
  const organizationId = text(organization, 'organization_id', 'id');
  const project = await operator.post(`/v1/organizations/${organizationId}/projects`, { name: 'First project' });
  const minted = await operator.post('/v1/api-keys', {
    organization_id: organizationId,
    name: 'administrator',
    scopes: ['all'],
  });
  const keys: DevelopmentKeys = {
    base_url: baseUrl,
    organization_id: organizationId,
    project_id: text(project, 'project_id', 'id'),
    admin_key: text(minted, 'token'),
    operator_key: operatorKey,
  };
  writeJson(file, keys);
  return keys;
}
