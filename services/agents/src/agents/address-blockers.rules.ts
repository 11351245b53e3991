import type { Blocker } from '@parley/contract';

/** An agent whose words come from the customer's own server needs its address. @param webhookUrl of the agent */
export function addressBlockers(mode: string, webhookUrl: string | null | undefined): Blocker[] {
  if (mode !== 'external_text' || (webhookUrl ?? '') !== '') return [];
  return [
    { code: 'address_missing', scope: 'address', detail: 'the mode external_text needs the webhook_url of the agent' },
  ];
}
