import { hasDialogue } from './answer-detection';
import { setDeadline, sinceAnswer, type Draft } from './draft';
import { finish } from './end';
import { languagePack } from './languages/index';
import type { NavigationState, Whereabouts } from './state';
import { textOf, wordsOf } from './words';

export const navigationAtStart: NavigationState = { at: 'nowhere', since: 0, menuMs: 0, holdMs: 0 };

/** Changes the place: adds the time at the previous place to its total, and continues the total of the new one. */
export function moveTo(draft: Draft, at: Whereabouts): void {
  const { state, now } = draft;
  const limits = state.plan.conduct.navigation;
  const before = state.navigation;
  if (limits === null || before.at === at) return;
  if (before.at === 'nowhere') meetMachine(draft);
  const spent = now - before.since;
  const menuMs = before.menuMs + (before.at === 'menu' ? spent : 0);
  const holdMs = before.holdMs + (before.at === 'hold' ? spent : 0);
  state.navigation = { at, since: now, menuMs, holdMs };
  setDeadline(draft, 'navigation_limit', at === 'menu' ? now + limits.maxMenuMs - menuMs : undefined);
  setDeadline(draft, 'hold_limit', at === 'hold' ? now + limits.maxHoldMs - holdMs : undefined);
  // The rule that ends calls with non-human audio does not apply in a menu or on hold.
  if (at !== 'nowhere') setDeadline(draft, 'non_human', undefined);
}

export const isNavigating = ({ state }: Draft): boolean => state.navigation.at !== 'nowhere';

/** A longer text in a menu or queue is an announcement, unless it contains what only a person says. */
const mostWordsOfPerson = 3;

/** Derives the place from the other party's words. In a menu or queue, unknown announcements change nothing until somebody speaks like a person. */
export function followWords(draft: Draft, text: string): void {
  const { state } = draft;
  const pack = languagePack(state.language);
  if (pack?.isMenu(text) === true) return moveTo(draft, 'menu');
  // A person in a dialogue who says "please hold" is not a queue, unless music follows.
  const queues = pack?.isQueue(text) === true && (isNavigating(draft) || state.music || !hasDialogue(state));
  if (isPerson(text, pack) || (!queues && !state.music && isAnswered(draft))) moveTo(draft, 'nowhere');
  else if (queues) moveTo(draft, 'hold');
  if (!isNavigating(draft)) state.evidence = { ...state.evidence, person: true };
}

/** The agent was heard since the call came to this place, so these words may answer it. */
function isAnswered(draft: Draft): boolean {
  const { transcript, navigation } = draft.state;
  const since = sinceAnswer(draft, navigation.since);
  return transcript.some(({ speaker, text, started_ms: at }) => speaker === 'agent' && text !== '' && at >= since);
}

/** Music is a hold queue in a menu or queue, and before a person has talked with the agent. */
export function followMusic(draft: Draft): void {
  const { state } = draft;
  if (isNavigating(draft)) return moveTo(draft, 'hold');
  const pack = languagePack(state.language);
  const heard = state.transcript.flatMap(({ speaker, text }) => (speaker === 'caller' ? text : []));
  if (state.caller.turnSince !== null) heard.push(textOf(state.caller));
  const announced =
    heard.some((text) => wordsOf(text) > mostWordsOfPerson) && !heard.some((text) => isPerson(text, pack));
  if (announced || pack?.isQueue(heard.at(-1) ?? '') === true) moveTo(draft, 'hold');
}

const isPerson = (text: string, pack: ReturnType<typeof languagePack>): boolean =>
  pack?.isPerson(text) !== false || (wordsOf(text) > 0 && wordsOf(text) <= mostWordsOfPerson && !pack.isQueue(text));

/** What was said so far was said to a machine: the person who answers hears the opening. */
function meetMachine({ state }: Draft): void {
  if (hasDialogue(state)) return;
  state.evidence = { ...state.evidence, person: false };
  if (state.reply?.announces !== true) state.opened = false;
}

export function onNavigationLimit(draft: Draft, detail: 'navigation_limit' | 'hold_limit'): void {
  finish(draft, 'ivr_timeout', true, detail);
}
