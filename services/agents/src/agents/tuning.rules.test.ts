import type { AnswerDetection, TurnTaking, VoicePolish } from './agent-document.rules';
import { answerDetectionAfter, effectiveOpening, normaliseVoicePolish, visibleTurnTaking } from './tuning.rules';

describe('turn_taking is returned without fields that equal their defaults', () => {
  it.each<[TurnTaking | undefined, TurnTaking | undefined]>([
    [undefined, undefined],
    [{ interruption_sensitivity: 'balanced' }, undefined],
    [{ max_call_seconds: 1740, no_caller_speech_seconds: 20 }, undefined],
    [{ min_speech_ms: 500 }, undefined],
    [{ min_speech_ms: 499 }, { min_speech_ms: 499 }],
    [
      { interruption_sensitivity: 'low', min_speech_ms: 500 },
      { interruption_sensitivity: 'low', min_speech_ms: 500 },
    ],
    [{ max_call_seconds: 1739, no_caller_speech_seconds: 20 }, { max_call_seconds: 1739 }],
    [{ no_caller_speech_seconds: 21 }, { no_caller_speech_seconds: 21 }],
    [{ min_interruption_words: 0 }, { min_interruption_words: 0 }],
    [{ silence_hold_ms: 800 }, { silence_hold_ms: 800 }],
    [{ barge_in_speech_rms: 100 }, { barge_in_speech_rms: 100 }],
  ])('%j is returned as %j', (stored, visible) => {
    expect(visibleTurnTaking(stored)).toEqual(visible);
  });
});

describe('voice_polish is stored without empty fields', () => {
  it.each<[VoicePolish, VoicePolish | undefined]>([
    [{}, undefined],
    [{ unrecognised_speech: { enabled: true } }, undefined],
    [{ unrecognised_speech: { enabled: false } }, { unrecognised_speech: { enabled: false } }],
    [{ unrecognised_speech: { enabled: true, max_per_call: 3 } }, { unrecognised_speech: { max_per_call: 3 } }],
    [{ model_unresponsive: {}, tool_wait: null }, undefined],
    [{ model_unresponsive: { seconds: 0 } }, { model_unresponsive: { seconds: 0 } }],
    [{ delivery: 'calm', acknowledgements: null }, { delivery: 'calm' }],
    [{ end_of_call_phrase: ' \n ' }, undefined],
    [{ end_of_call_phrase: ' Bye. ' }, { end_of_call_phrase: 'Bye.' }],
    [{ acknowledgements: { phrases: [' mhm '] } }, { acknowledgements: { phrases: ['mhm'] } }],
    [{ unrecognised_speech: { phrase: '' } }, undefined],
    [{ acknowledgements: { enabled: true, delay_ms: 1200 } }, { acknowledgements: { enabled: true, delay_ms: 1200 } }],
  ])('%j is stored as %j', (sent, stored) => {
    expect(normaliseVoicePolish(sent)).toEqual(stored);
  });
});

describe('answer_detection', () => {
  it.each<[AnswerDetection, AnswerDetection | undefined]>([
    [{ non_human_audio: 'shadow' }, { non_human_audio: 'shadow' }],
    [
      { voicemail: 'off', voicemail_messages: { 'de-DE': 'a' } },
      { voicemail: 'off', voicemail_messages: { de: 'a' } },
    ],
    [{ voicemail_messages: { en: ' a \t\n b ' } }, { voicemail_messages: { en: 'a b' } }],
    [{ voicemail_messages: { en: 'a\u00a0\u00a0\u3000b\u00a0' } }, { voicemail_messages: { en: 'a b' } }],
    [{ voicemail_messages: { en: ' \n ' } }, undefined],
    [{ voicemail_messages: { en: 'a', de: '' } }, { voicemail_messages: { en: 'a' } }],
    [
      { voicemail: 'leave_message', voicemail_messages: { EN: 'a' } },
      { voicemail: 'leave_message', voicemail_messages: { en: 'a' } },
    ],
    [{ voicemail_messages: { en: '😀'.repeat(400) } }, { voicemail_messages: { en: '😀'.repeat(400) } }],
  ])('%j is stored as %j', (sent, stored) => {
    expect(answerDetectionAfter(undefined, sent)).toEqual(stored);
  });

  const stored: AnswerDetection = { voicemail: 'leave_message', voicemail_messages: { en: 'a', de: 'b' } };
  it.each<[string, AnswerDetection | null | undefined, AnswerDetection | undefined]>([
    ['an omitted section keeps everything', undefined, stored],
    ['null removes the section', null, undefined],
    ['omitted messages are kept', { voicemail: 'hang_up' }, { ...stored, voicemail: 'hang_up' }],
    ['an empty section keeps the messages', {}, { voicemail_messages: stored.voicemail_messages }],
    ['null removes the messages', { voicemail: 'hang_up', voicemail_messages: null }, { voicemail: 'hang_up' }],
    ['an empty object removes the messages', { voicemail: 'off', voicemail_messages: {} }, { voicemail: 'off' }],
    [
      'leave_message is valid with the stored messages',
      { voicemail: 'leave_message', non_human_audio: 'off' },
      { ...stored, non_human_audio: 'off' },
    ],
  ])('a change of voicemail and the stored messages: %s', (_title, sent, after) => {
    expect(answerDetectionAfter(stored, sent)).toEqual(after);
  });

  it.each<[string, AnswerDetection]>([
    ['leave_message with removed messages', { voicemail: 'leave_message', voicemail_messages: {} }],
    ['leave_message without a message', { voicemail: 'leave_message' }],
    ['leave_message with a blank message', { voicemail: 'leave_message', voicemail_messages: { en: ' ' } }],
    ['two keys of one language', { voicemail_messages: { 'de-DE': 'a', de_AT: 'b' } }],
    ['two keys of one language, one of them blank', { voicemail_messages: { 'de-DE': 'a', de: ' ' } }],
    ['a control character', { voicemail_messages: { en: 'a\u0007b' } }],
    ['401 characters', { voicemail_messages: { en: 'x'.repeat(401) } }],
  ])('%s is rejected', (_title, sent) => {
    expect(() => answerDetectionAfter(undefined, sent)).toThrow(expect.objectContaining({ code: 'BadRequestError' }));
  });
});

describe('defaults of opening', () => {
  it.each([
    [undefined, { first_speaker: 'callee', silence_wait_seconds: 2 }],
    [{}, { first_speaker: 'callee', silence_wait_seconds: 2 }],
    [{ first_speaker: 'agent' as const }, { first_speaker: 'agent', silence_wait_seconds: 2 }],
    [{ silence_wait_seconds: 5 }, { first_speaker: 'callee', silence_wait_seconds: 5 }],
  ])('%j is effective as %j', (stored, effective) => {
    expect(effectiveOpening(stored)).toEqual(effective);
  });
});
