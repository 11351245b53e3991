import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives the main thread, which sends the audio, a higher priority than other programs of the machine have (docs/adr/0131-the-engine-has-a-higher-priority.md).
 * Only root and processes with CAP_SYS_NICE may do this.
 * @returns whether it is permitted; otherwise nothing has changed
 */
export function raisePriority(): boolean {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    return false;
  }
  try {
    // Linux compares the priorities of processes only within a session, and those of sessions by this file.
    writeFileSync('/proc/self/autogroup', String(constants.priority.PRIORITY_HIGH));
  } catch {
    // Another system, or one that does not group processes.
  }
  return true;
}
