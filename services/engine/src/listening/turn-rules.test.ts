import { boundsOf } from './turn-rules';
import { wordsOf } from './turn-words';

const judged = (text: string, expectedDigits?: number): 'finished' | 'unfinished' | 'by the model' => {
  const bounds = boundsOf(wordsOf(text), expectedDigits);
  if (bounds === undefined) return 'by the model';
  return bounds.least >= 0.5 ? 'finished' : 'unfinished';
};

describe('the cases of their own in an English turn', () => {
  it.each([
    ['yes', 'finished'],
    ['No.', 'finished'],
    ['stop', 'finished'],
    ['Tuesday', 'finished'],
    ['december', 'finished'],
    ['tomorrow', 'finished'],
    ['the', 'by the model'],
    ['yes i', 'by the model'],
    ['', 'by the model'],
  ])('answer of one word: "%s" is judged %s', (text, expected) => {
    expect(judged(text)).toBe(expected);
  });

  it.each([
    ['five five five', 'unfinished'],
    ['my number is five five five one two three', 'unfinished'],
    ['five five five one two three four', 'finished'],
    ['it is four one five five five five one two three', 'unfinished'],
    ['it is four one five five five five one two three four', 'finished'],
    ['415 555', 'unfinished'],
    ['415-555-0123', 'finished'],
    ['four four five', 'unfinished'],
    ['4532 1187', 'unfinished'],
    ['4532 1187 9000', 'unfinished'],
    ['4532 1187 9000 1234', 'finished'],
    ['nine oh two one oh', 'finished'],
    ['my phone number is 555', 'unfinished'],
    ['the code is 4821', 'finished'],
    ['area code four one five double', 'unfinished'],
    ['at 7 30', 'by the model'],
    ['a table for four', 'by the model'],
    ['on 2026 11 30', 'by the model'],
    ['flight 447', 'by the model'],
    ['four five', 'by the model'],
  ])('dictated number: "%s" is judged %s', (text, expected) => {
    expect(judged(text)).toBe(expected);
  });

  it.each([
    ['four five one', 4, 'unfinished'],
    ['four five one two', 4, 'finished'],
    ['482', 6, 'unfinished'],
    ['482913', 6, 'finished'],
    ['yes it is', 6, 'by the model'],
  ])('with a known number of digits "%s" of %d is judged %s', (text, digits, expected) => {
    expect(judged(text, digits)).toBe(expected);
  });

  it.each([
    ['s m', 'unfinished'],
    ['s m i t h', 'unfinished'],
    ['smith s m i t', 'unfinished'],
    ['smith s m i t h', 'finished'],
    ['at seven p m', 'by the model'],
    ['john at example dot', 'unfinished'],
    ['john at example dot com', 'by the model'],
  ])('spelling: "%s" is judged %s', (text, expected) => {
    expect(judged(text)).toBe(expected);
  });

  it('takes a longer spelled word rather for finished than a shorter one', () => {
    const most = ['s m', 's m i', 's m i t h'].map((text) => boundsOf(wordsOf(text))?.most ?? 1);
    expect(most).toEqual([...most].sort((one, other) => one - other));
    expect(new Set(most).size).toBe(3);
  });

  it.each([
    ['i live at forty two', 'unfinished'],
    ['my address is 12 north', 'unfinished'],
    ['my address is 12 north main', 'unfinished'],
    ['my address is 12 north main street', 'finished'],
    ['my address is 12 main street apartment', 'unfinished'],
    ['my address is 12 main street in springfield', 'by the model'],
    ['i live at home', 'by the model'],
  ])('address: "%s" is judged %s', (text, expected) => {
    expect(judged(text)).toBe(expected);
  });
});
