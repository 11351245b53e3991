import { limits } from '@parley/contract';

/** With a simulated recording of the same turns, which is a third larger, a completion stays below the mebibyte that the platform takes. */
export const mostTranscriptBytes = 400 * 1024;
/** UTF-16 units of a turn's text: never more characters than the platform takes. */
const longestText = limits.systemPrompt.max;

interface Said {
  readonly text: string;
}

export interface FittedTranscript<Turn extends Said> {
  readonly turns: readonly Turn[];
  /** Something was left out. */
  readonly cut: boolean;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** What a completion can take of a transcript: its beginning, whole turns and then the beginning of one. */
export function fitTranscript<Turn extends Said>(turns: readonly Turn[]): FittedTranscript<Turn> {
  const fitting: Turn[] = [];
  let left = mostTranscriptBytes;
  let cut = false;
  for (const turn of turns) {
    const whole = turn.text.length <= longestText ? turn : { ...turn, text: beginning(turn.text, Infinity) };
    cut ||= whole !== turn;
    // With the comma after it.
    const bytes = bytesOf(whole) + 1;
    if (bytes <= left) {
      fitting.push(whole);
      left -= bytes;
      continue;
    }
    const text = beginning(whole.text, left - (bytes - bytesOf(whole.text)) - 2);
    if (text !== '') fitting.push({ ...whole, text });
    return { turns: fitting, cut: true };
  }
  return { turns: fitting, cut };
}

/** Whole characters that fit, counted as JSON. */
function beginning(text: string, mostBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += bytesOf(character) - 2;
    if (bytes > mostBytes || end + character.length > longestText) break;
    end += character.length;
  }
  return text.slice(0, end);
}
