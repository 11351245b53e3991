import type { BillingMode } from '@parley/contract';
import type { CreatingRequest } from '@parley/service';
import { newId, type Caller, type Database } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { insertOrganization } from '../db/organizations';
import type { OrganizationRecord } from '../domain/records';
import { creatingRecord, type Created } from './creating-record';

export interface CreateOrganization {
  readonly caller: Caller;
  readonly name: string;
  readonly billing: BillingMode;
}

/** Creates an organization (decisions section 2, operator routes). */
export function createOrganization(
  db: Database,
  request: CreatingRequest,
  check: () => CreateOrganization,
): Promise<Created<OrganizationRecord>> {
  return creatingRecord(db, request, {
    check,
    work: async (tx, { caller, name, billing }) => {
      const organization = await insertOrganization(tx, newId('org'), name, billing);
      await appendAudit(tx, {
        auditId: newId('aud'),
        organizationId: organization.organizationId,
        actorKeyId: caller.keyId,
        action: 'organization.created',
        subject: organization.organizationId,
        detail: { name, billing },
      });
      return organization;
    },
    idOf: (organization) => organization.organizationId,
  });
}
