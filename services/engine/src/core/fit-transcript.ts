import { limits } from '@parley/contract';

/**
 * With this limit a completion stays below the platform's limit of one MiB, even together with a simulated recording of the same turns, which is a third
 * larger.
 */
export const mostTranscriptBytes = 400 * 1024;
/** Maximum length of a turn's text in UTF-16 units. A text has at least as many units as characters, and the platform limits characters. */
const longestText = limits.systemPrompt.max;

interface Said {
  readonly text: string;
}

export interface FittedTranscript<Turn extends Said> {
  readonly turns: readonly Turn[];
  /** Whether any text was left out. */
  readonly cut: boolean;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The part of a transcript that fits in a completion: whole turns from the beginning, then the beginning of one turn. */
export function fitTranscript<Turn extends Said>(turns: readonly Turn[]): FittedTranscript<Turn> {
  const fitting: Turn[] = [];
  let left = mostTranscriptBytes;
  let cut = false;
  for (const turn of turns) {
    const whole = turn.text.length <= longestText ? turn : { ...turn, text: beginning(turn.text, Infinity) };
    cut ||= whole !== turn;
    // Including the separating comma.
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

/** The longest prefix of complete characters that fits, measured in bytes of JSON. */
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
