import type { EndedReason, Transcript, TrialOutcome } from '@parley/contract';
import type { Finding } from '../../books/calls/call-evidence.rules';
import type { CallTrigger, TriggerFacts } from '../../books/calls/call-transitions.rules';

/** The generated course of a trial call. Its phone numbers are those of the simulator. */
export interface TrialStory {
  readonly to: string;
  /** The transitions up to the end of dialing; if the call is answered, `completed` follows. */
  readonly moves: readonly (readonly [CallTrigger, TriggerFacts])[];
  /** The result of answer detection. */
  readonly found: Finding;
  /** Undefined if the call was not answered. */
  readonly transcript: Transcript | undefined;
}

/** The other party of every trial call. */
export const trialNumber = '+15005550100';

interface Ending {
  readonly to: string;
  readonly endedReason: EndedReason;
  /** Empty: never answered. */
  readonly classification: string;
  readonly detail: string;
}

const endings: Readonly<Record<TrialOutcome, Ending>> = {
  busy: { to: '+15005550001', endedReason: 'busy', classification: '', detail: '' },
  no_answer: { to: '+15005550002', endedReason: 'no_answer', classification: '', detail: '' },
  voicemail: {
    to: '+15005550003',
    endedReason: 'callee_hung_up',
    classification: 'voicemail',
    detail: 'record_beep_after_greeting',
  },
  carrier_failure: { to: '+15005550004', endedReason: 'carrier_failure', classification: '', detail: '' },
  no_human: {
    to: '+15005550005',
    endedReason: 'no_human_after_answer',
    classification: 'music',
    detail: 'music_without_speech',
  },
  answered: { to: '+15005550006', endedReason: 'callee_hung_up', classification: 'human', detail: 'speech' },
  silence: {
    to: '+15005550007',
    endedReason: 'no_caller_speech_after_answer',
    classification: 'unknown',
    detail: 'nothing_heard',
  },
};

const spoken: Readonly<Partial<Record<TrialOutcome, string>>> = {
  answered: 'Hello?',
  voicemail: 'You have reached a mailbox. Please leave a message after the tone.',
};

/** All transitions have the same time, because nothing was dialed. */
export function trialStory(outcome: TrialOutcome, language: string, at: Date): TrialStory {
  const { to, endedReason, classification, detail } = endings[outcome];
  const ending = { at, endedReason };
  const mailboxProof = classification === 'voicemail' ? ('beep' as const) : null;
  const found = { classification, classificationDetail: detail, mailboxProof, proofWithdrawnBy: null };
  if (classification === '') {
    const moves = [
      ['dial', { at }],
      ['fail', ending],
    ] as const;
    return { to, moves, found, transcript: undefined };
  }
  const moves = [
    ['dial', { at }],
    ['answer', { at }],
    ['start_media', { at }],
    ['end', ending],
  ] as const;
  const text = spoken[outcome];
  const turn = { speaker: 'callee' as const, started_ms: 0, ended_ms: 0, ...(language === '' ? {} : { language }) };
  const turns = text === undefined ? [] : [{ ...turn, text }];
  return { to, moves, found, transcript: { turns } };
}
