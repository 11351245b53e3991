import type { ControlInput } from '../core/inputs';
import { performed, refused, type CallCommand, type CommandResult } from '../worker/live-call';
import type { CallLine } from './call-line';
import type { Continuity } from './continuity';
import type { LiveSound } from './live-sound';

/** Converts a command to an input of the core; undefined for an unknown one. The platform has validated the fields. */
export function controlInputOf(type: string, fields: CallCommand['fields']): ControlInput | undefined {
  switch (type) {
    case 'say':
      return { type: 'control_say', text: String(fields['text']) };
    case 'press':
      return { type: 'control_press', digits: String(fields['digits']) };
    case 'mute':
      return { type: 'control_mute', muted: fields['muted'] === true };
    case 'pause_recording':
      return { type: 'control_record', paused: true };
    case 'resume_recording':
      return { type: 'control_record', paused: false };
    case 'transferring':
      return { type: 'control_transferring', ms: Number(fields['seconds']) * 1_000 };
    case 'held':
      return { type: 'control_held', held: fields['held'] === true };
    case 'transfer':
      return { type: 'control_transferred' };
    case 'hang_up':
      return { type: 'control_hang_up' };
    default:
      return undefined;
  }
}

/** The outcome of a command that the line does not support, or of a command about clients that follow the call; undefined for any other command. */
export function alongsideTheCall(
  type: string,
  line: CallLine,
  listeners: Pick<LiveSound, 'begin'>,
  continuity: Pick<Continuity, 'watch'>,
): CommandResult | undefined {
  if (type === 'press' && line.cannot.has('press')) return refused('unavailable', 'this line does not support keys');
  if (type === 'transfer' && line.cannot.has('transfer'))
    return refused('unavailable', 'this line cannot be transferred');
  if (type === 'listen') {
    if (line.listenIn === undefined) return refused('unavailable', 'this line has no audio');
    listeners.begin((take) => line.listenIn?.(take));
    return performed;
  }
  if (type !== 'watch') return undefined;
  continuity.watch();
  return performed;
}
