/** The first credentials (docs/reference/starting.md): who may do what on a platform that was just started. */
import { readJson, writeJson } from './files.mts';
import { Rest, RestError, text } from './rest.mts';

/** <home>/dev.json */
export interface DevelopmentKeys {
  base_url: string;
  organization_id: string;
  project_id: string;
  /** Holds `all` in the organization. */
  admin_key: string;
  /** Holds `all` and the operator scopes, belongs to no organization. */
  operator_key: string;
}

/** The keys of an earlier start, when the platform still takes them. */
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

/** A first organization with a project and an administrator's key, created by the operator over REST. */
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
