import { declaredCapabilities, type WorkerCapabilities } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { writeDeclaration } from '../src/dispatch/workers/worker-capabilities.sql';
import { digestOf } from '../src/dispatch/workers/worker-capabilities';

/** The capabilities of the hosted workers in these tests. */
export const hostedCapabilities: WorkerCapabilities = {
  carriers: ['simulator', 'sip_trunk', 'twilio'],
  modes: ['hosted', 'external_audio', 'external_text'],
  engines: ['cascade'],
  providers: { stt: ['simulator', 'offline'], llm: ['simulator'], tts: ['simulator', 'offline'] },
  tools: ['connection', 'end_call', 'leave_voicemail', 'query_knowledge', 'send_sms', 'transfer_call', 'webhook'],
};

/** Declares hosted workers with all these capabilities that were seen a moment ago. */
export const declareWorkers = (
  db: Queryable,
  capabilities = hostedCapabilities,
  organizationId = '',
): Promise<void> => {
  const declared = declaredCapabilities(capabilities);
  return writeDeclaration(db, organizationId, 'call', digestOf(declared), declared);
};
