import { setDeadline, type Draft } from './draft';
import { finish } from './end';
import { languagePack } from './languages/index';
import type { NavigationState, Whereabouts } from './state';

export const navigationAtStart: NavigationState = { at: 'nowhere', since: 0, menuMs: 0, holdMs: 0 };

/** Changes the place: adds the time at the previous place to its total, and continues the total of the new one. */
export function moveTo(draft: Draft, at: Whereabouts): void {
  const { state, now } = draft;
  const limits = state.plan.conduct.navigation;
  const before = state.navigation;
  if (limits === null || before.at === at) return;
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

/** Derives the place from the other party's words. */
export function followWords(draft: Draft, text: string): void {
  const pack = languagePack(draft.state.language);
  if (pack?.isMenu(text) === true) return moveTo(draft, 'menu');
  // Only an announcement of a queue counts. A person who says "please hold" is not a queue.
  moveTo(draft, pack?.isQueue(text) === true && isNavigating(draft) ? 'hold' : 'nowhere');
}

export function onNavigationLimit(draft: Draft, detail: 'navigation_limit' | 'hold_limit'): void {
  finish(draft, 'ivr_timeout', true, detail);
}
