import type { CallBehavior } from '../src/core/call-behavior';

/** No additional behavior: only turn-taking. */
export const plainBehavior: CallBehavior = {
  endPhrase: '',
  acknowledgement: null,
  toolWait: null,
  unrecognised: null,
  modelUnresponsiveMs: null,
  navigation: null,
};
