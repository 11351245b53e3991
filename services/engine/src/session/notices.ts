import { activityOf, type CallState } from '../core/state';
import { textOf } from '../core/words';
import type { ConnectedLine } from '../lines/connected-line';

/** Sends the client of a line the spoken text, the state of the call and the running tools. */
export function notices(line: ConnectedLine): (state: CallState) => void {
  let ready = false;
  let shown: ReturnType<typeof activityOf> | undefined;
  /** The text that was last sent of each turn. */
  const texts = new Map<string, string>();
  const running = new Set<string>();
  const show = (speaker: 'caller' | 'agent', turnId: string, text: string, final: boolean): void => {
    const key = `${String(final)} ${text}`;
    // A turn that was interrupted before any of it was heard is removed: an empty text retracts what was sent.
    if ((text === '' && !texts.has(turnId)) || texts.get(turnId) === key) return;
    texts.set(turnId, key);
    line.notice({ type: 'transcript', speaker, turn_id: turnId, text, final });
  };
  return (state) => {
    if (state.phase !== 'talking' && state.phase !== 'over') return;
    if (!ready) {
      ready = true;
      line.notice({ type: 'ready' });
    }
    for (const { turn_id: id, speaker, text, digits } of state.transcript) {
      const isOpen = state.utterance?.turnId === id;
      if (!isOpen && texts.get(id)?.startsWith('true') === true) continue;
      show(speaker, id, isOpen ? (state.utterance?.text ?? text) : text === '' ? (digits ?? '') : text, !isOpen);
    }
    if (state.caller.turnId !== null) show('caller', state.caller.turnId, textOf(state.caller), false);
    for (const { call } of state.tools)
      if (!running.has(call.id)) {
        running.add(call.id);
        line.notice({ type: 'tool', name: call.name, state: 'running' });
      }
    const activity = activityOf(state);
    if (activity === shown || state.phase === 'over') return;
    shown = activity;
    line.notice({ type: 'state', state: activity });
  };
}
