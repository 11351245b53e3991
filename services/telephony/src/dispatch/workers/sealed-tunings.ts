import { isWebhookTool, sealedHeaderContext, type CallTuning } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { rewrapParts, sealedColumn, type SealedSource } from '@parley/service';
import { carrierPurpose, trunkPurpose } from '../../network';
import { changeSealedTunings } from '../../books';

/** The encrypted values to re-encrypt under a new key: carrier accounts, trunk passwords, and the header values that open calls still need. */
export const sealedValues = (db: Database): SealedSource[] => [
  sealedColumn(db, {
    table: 'carrier_credentials',
    key: ['carrier_credential_id'],
    column: 'auth_token',
    keyIdColumn: 'vault_key_id',
    purpose: carrierPurpose,
  }),
  sealedColumn(db, {
    table: 'sip_trunks',
    key: ['sip_trunk_id'],
    column: 'password',
    keyIdColumn: 'vault_key_id',
    purpose: trunkPurpose,
  }),
  {
    name: 'calls.tuning',
    async rewrapAll(vault) {
      let failed = 0;
      await changeSealedTunings(db, ({ organization_id: organizationId, agent_id: agentId, tuning }) => {
        const parts = (JSON.parse(tuning) as CallTuning).tools.filter(isWebhookTool).flatMap((tool) =>
          Object.entries(tool.sealed_headers ?? {}).map(([header, text]) => ({
            text,
            context: sealedHeaderContext(organizationId, agentId, tool.name, header),
          })),
        );
        const { documents, failed: left } = rewrapParts(vault, [tuning] as const, parts);
        failed += left;
        return documents[0];
      });
      return failed;
    },
  },
];
