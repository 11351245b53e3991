import type { CallTuning, Transcript } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { countLatencies } from '../analytics/count-call';
import type { Call } from './call.rules';
import { advanceThrough } from './call-transitions.rules';
import { lockCall } from './calls.sql';
import { recordSteps } from './record-steps';
import { askForTranscriptTranslation, endTranscriptTranslation } from './transcript-translations.sql';
import { putTranscript } from './transcripts.sql';
import { translationTarget } from './translation-target.rules';

/**
 * Stores the transcript of a completed call, unless it has one, counts its latencies, and requests the translation for which the policy pinned at admission
 * asks. The caller has locked the call. @param transcript JSON of Transcript @returns whether it was stored
 */
export async function keepTranscript(tx: Queryable, call: Call, transcript: string, at: Date): Promise<boolean> {
  const { organizationId, callId } = call;
  if (!(await putTranscript(tx, organizationId, callId, transcript, at))) return false;
  await countLatencies(tx, call, transcript, at);
  const { translation } = JSON.parse(call.tuning) as Partial<CallTuning>;
  if (translation?.enabled !== true || call.synthetic) return true;
  const { language = call.language, turns } = JSON.parse(transcript) as Transcript;
  const target = translationTarget(translation, 'transcripts', language === '' ? undefined : language);
  if (target !== undefined && turns.length > 0) await askForTranscriptTranslation(tx, organizationId, callId, target);
  return true;
}

/** How the translation of a transcript ended: the texts of its turns and who translated them, or why there is none. */
export type TranslationEnd =
  { readonly texts: readonly string[]; readonly provider: string } | { readonly reason: string };

/** Completes the pending translation of a call's transcript; without one nothing changes. */
export async function endTranslation(
  tx: Queryable,
  organizationId: string,
  callId: string,
  end: TranslationEnd,
): Promise<void> {
  const locked = await lockCall(tx, organizationId, callId);
  if (locked === undefined) return;
  const done = { texts: [], provider: null, reason: null, ...end };
  if (!(await endTranscriptTranslation(tx, organizationId, callId, done))) return;
  const { call: before, now } = locked;
  const simulated = done.provider === 'simulator' && !before.componentsSimulated.includes('translation');
  const call = simulated ? { ...before, componentsSimulated: [...before.componentsSimulated, 'translation'] } : before;
  const trigger = 'reason' in end ? 'fail_translation' : 'attach_translation';
  await recordSteps(tx, call, advanceThrough(call, [[trigger, { at: now }]]), now);
}
