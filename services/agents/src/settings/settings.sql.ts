import type { Queryable } from '@parley/runtime';

/** Returns a setting as JSON text, null if it was never saved; undefined if the organization does not have the agent. */
export async function findSetting(
  db: Queryable,
  organizationId: string,
  agentId: string,
  name: string,
): Promise<{ readonly project_id: string; readonly value: string | null; readonly now: Date } | undefined> {
  const { rows } = await db.query<{ project_id: string; value: string | null; now: Date }>({
    name: 'agent-setting',
    text: `select agents.project_id, settings.value, now() as now from agents left join agent_settings as settings
             on settings.organization_id = agents.organization_id and settings.agent_id = agents.agent_id and settings.name = $3
           where agents.organization_id = $1 and agents.agent_id = $2`,
    values: [organizationId, agentId, name],
  });
  return rows[0];
}

/** Until the transaction ends, the settings of the agent are not changed and the agent is not deleted. */
export async function lockSettings(tx: Queryable, organizationId: string, agentId: string): Promise<void> {
  await tx.query({
    name: 'agent-settings-lock',
    text: `select from agents where organization_id = $1 and agent_id = $2 for no key update`,
    values: [organizationId, agentId],
  });
}

export async function putSetting(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  name: string,
  value: string,
): Promise<void> {
  await tx.query({
    name: 'agent-setting-put',
    text: `insert into agent_settings (organization_id, agent_id, name, value) values ($1, $2, $3, $4)
           on conflict (agent_id, name) do update set value = excluded.value
           where agent_settings.organization_id = excluded.organization_id`,
    values: [organizationId, agentId, name, value],
  });
}

export async function removeSetting(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  name: string,
): Promise<void> {
  await tx.query({
    name: 'agent-setting-remove',
    text: `delete from agent_settings where organization_id = $1 and agent_id = $2 and name = $3`,
    values: [organizationId, agentId, name],
  });
}
