import type { BillingMode } from '@parley/contract';
import type { CreatingRequest } from '@parley/service';
import { newId, type Caller, type ClientOrigin, type Database } from '@parley/runtime';
import { appendAudit } from '../audit';
import { insertOrganization } from './organizations.sql';
import type { OrganizationRecord } from './organization.rules';
import { creatingRecord, type Created } from '../creating-record';

export interface CreateOrganization {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  readonly name: string;
  readonly billing: BillingMode;
}

/** Creates an organization (docs/reference/starting.md, operator routes). */
export function createOrganization(
  db: Database,
  request: CreatingRequest,
  check: () => CreateOrganization,
): Promise<Created<OrganizationRecord>> {
  return creatingRecord(db, request, {
    check,
    work: async (tx, { caller, client, name, billing }) => {
      const organization = await insertOrganization(tx, newId('org'), name, billing);
      const act = {
        organizationId: organization.organizationId,
        action: 'organization.created',
        subject: organization.organizationId,
        detail: { name, billing },
      };
      await appendAudit(tx, act, { caller, client });
      return organization;
    },
    idOf: (organization) => organization.organizationId,
  });
}
