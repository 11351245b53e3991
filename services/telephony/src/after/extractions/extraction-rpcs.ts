import type { TelephonyServiceServer } from '@parley/proto/telephony';
import { documentOf, jsonOf, type UnaryHandlers } from '@parley/runtime';
import { tenantOf } from '@parley/service';
import type { Telephony } from '../../telephony';
import { readForExtraction, recordExtraction, transcribedCalls } from './extractions';

const mostListed = 1_000;

/** The RPCs that the insights service calls. */
export function extractionRpcs(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
): Pick<UnaryHandlers<TelephonyServiceServer>, 'readForExtraction' | 'recordExtraction' | 'listTranscribedCalls'> {
  const { db } = telephony;
  return {
    async readForExtraction({ organizationId: named, callId, revision }, { caller }) {
      const organizationId = tenantOf(caller, named);
      const { call, transcript, recorded } = await readForExtraction(db, organizationId, callId, revision);
      return {
        agentId: call.agentId,
        endedReason: call.endedReason ?? '',
        transcript: documentOf('Transcript', JSON.parse(transcript) as object),
        recorded,
        publicationSha256: call.publicationSha256,
      };
    },
    async recordExtraction({ organizationId: named, extraction, status, ...rest }, { caller }) {
      const { callId, revision, runId, simulated } = rest;
      const recorded = await recordExtraction(telephony, tenantOf(caller, named), {
        ...{ callId, revision, runId, simulated },
        status: status === 'ready' ? 'ready' : 'failed',
        body: JSON.stringify(jsonOf(extraction)),
      });
      return { recorded };
    },
    async listTranscribedCalls({ organizationId: named, agentId, from, to, afterCallId: after, limit }, { caller }) {
      const period = { from: new Date(from), to: new Date(to), after, limit: Math.min(limit, mostListed) };
      return { callIds: await transcribedCalls(db, tenantOf(caller, named), { agentId, ...period }) };
    },
  };
}
