import type { ControlInput } from '../core/inputs';
import type { CallCommand } from '../worker/live-call';

/** A command as the rules of a call take it; undefined for one that they do not know. The platform has validated the fields. */
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
    case 'transfer':
      return { type: 'control_transferred' };
    case 'hang_up':
      return { type: 'control_hang_up' };
    default:
      return undefined;
  }
}
