import type { TranscriptTurn } from '@parley/contract';
import { fitTranscript, mostTranscriptBytes } from './fit-transcript';
import { simulatedRecording } from '../worker/job-reporter';

const turn = (text: string): TranscriptTurn => ({
  speaker: 'caller',
  text,
  started_ms: 1_740_000,
  ended_ms: 1_740_000,
});
const turnsOf = (count: number, text: string): TranscriptTurn[] => Array.from({ length: count }, () => turn(text));
/** The size as the platform measures it: turns with separating commas. */
const bytesOf = (turns: readonly TranscriptTurn[]): number => Buffer.byteLength(JSON.stringify(turns));

describe('fitting a transcript into the size limit of a completion', () => {
  it('does not change a transcript that fits', () => {
    const turns = [turn('Hello'), turn('x'.repeat(100_000))];
    expect(fitTranscript(turns)).toEqual({ turns, cut: false });
    expect(fitTranscript([])).toEqual({ turns: [], cut: false });
  });

  it('accepts exactly the limit of bytes, and cuts one byte more', () => {
    const around = bytesOf([turn('')]) - 1;
    const four = turnsOf(4, 'x'.repeat(100_000));
    const last = mostTranscriptBytes - 4 * (100_000 + around) - around;
    const full = [...four, turn('x'.repeat(last))];
    expect(fitTranscript(full)).toEqual({ turns: full, cut: false });
    expect(fitTranscript([...four, turn('x'.repeat(last + 1))])).toEqual({ turns: full, cut: true });
    expect(fitTranscript([...full, turn('')])).toEqual({ turns: full, cut: true });
  });

  it.each<[string, TranscriptTurn[]]>([
    ['ASCII letters', turnsOf(1_000, 'x'.repeat(4_000))],
    ['characters of three bytes', turnsOf(1_000, '\u4e2d'.repeat(4_000))],
    ['characters that JSON escapes', turnsOf(1_000, '\u0000"'.repeat(2_000))],
    ['surrogate pairs', turnsOf(1_000, '\u{1f600}'.repeat(2_000))],
    ['very short turns', turnsOf(100_000, 'x')],
  ])('keeps the beginning of a transcript of %s', (_, turns) => {
    const fitted = fitTranscript(turns);
    expect(fitted.cut).toBe(true);
    expect(bytesOf(fitted.turns)).toBeLessThanOrEqual(mostTranscriptBytes + 1);
    expect(bytesOf(fitted.turns)).toBeGreaterThan(mostTranscriptBytes - 200);
    expect(fitted.turns.slice(0, -1)).toEqual(turns.slice(0, fitted.turns.length - 1));
    const last = fitted.turns.at(-1)?.text ?? '';
    expect(last.isWellFormed()).toBe(true);
    expect(turns[0]?.text.startsWith(last)).toBe(true);
    const body = { transcript: { turns: fitted.turns }, ...simulatedRecording(fitted.turns) };
    expect(body.recording).toBeDefined();
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(1024 * 1024 - 4_096);
  });

  it('cuts a too long turn to the limit of its text, and keeps later turns', () => {
    const fitted = fitTranscript([turn('x'.repeat(100_001)), turn('Bye')]);
    expect(fitted).toEqual({ turns: [turn('x'.repeat(100_000)), turn('Bye')], cut: true });
  });
});
