import { turnFinished } from './turn-detector';
import { turnModel } from './turn-model';

const judge = (text: string, language = 'en-US'): number | undefined => turnFinished(turnModel(), { text, language });

describe('the turn detector in English', () => {
  it.each([
    'what is the balance of my account',
    'I would like to cancel my reservation.',
    'can you transfer fifty dollars to my savings account',
    'book a table for four people tonight',
    'yes',
    'no thank you',
    'Tuesday',
    'where is my card',
  ])('judges "%s" finished', (text) => {
    expect(judge(text)).toBeGreaterThanOrEqual(0.5);
  });

  it.each([
    'what is the balance of',
    'i would like to',
    'can you transfer fifty dollars from my',
    'book a table for',
    'i want to know if',
    'yes but',
    'where is the',
    'i need it on um',
    'five five five',
    's m i',
  ])('judges "%s" unfinished', (text) => {
    expect(judge(text)).toBeLessThan(0.5);
  });

  it('judges alike with and without case and punctuation', () => {
    expect(judge("I don't know what's wrong.")).toBe(judge('i dont know whats wrong'));
    expect(judge('i don t know')).toBe(judge('I don’t know'));
    expect(judge('at 7pm')).toBe(judge('at 7 p.m.'.replace('p.m.', 'pm')));
  });

  it('knows nothing before the first word, and of a language without data', () => {
    expect(judge(' … ')).toBeUndefined();
    expect(judge('haluaisin varata', 'fi-FI')).toBeUndefined();
  });

  it('decides within a millisecond, however long the caller speaks', () => {
    const long = 'and then i said that i would like to change the order because '.repeat(200);
    const texts = ['i would like to book a table for four people', long.slice(0, 400)];
    for (const text of [...texts, ...texts, ...texts]) for (let nth = 0; nth < 100; nth++) judge(text);
    for (const text of texts) {
      const times = Array.from({ length: 101 }, () => {
        const since = process.hrtime.bigint();
        judge(text);
        return Number(process.hrtime.bigint() - since) / 1e6;
      }).sort((one, other) => one - other);
      expect(times[50]).toBeLessThan(1);
    }
    expect(judge(long)).toBeDefined();
  });
});

describe('endings that cannot end a turn', () => {
  it.each([
    ['de-DE', 'ich möchte einen tisch für', 'ich möchte einen tisch für vier personen'],
    ['de-AT', 'Ich hätte gern', 'Ich hätte gern einen Termin'],
    ['de', 'am montag oder', 'am montag'],
    ['de', 'das wäre ähm', 'das wäre gut'],
    ['es-ES', 'quiero una mesa para', 'quiero una mesa para cuatro'],
    ['es', 'me gustaría', 'me gustaría comer'],
    ['es-MX', 'quiero hablar con el', 'quiero hablar con él'],
    ['fr-FR', 'je voudrais réserver une table pour', 'je voudrais réserver une table'],
    ['fr', "j'aimerais", "j'aimerais venir"],
    ['fr', 'je voudrais un', 'zéro six vingt et un'],
    ['it-IT', 'vorrei prenotare un tavolo per', 'vorrei prenotare un tavolo'],
    ['it', 'il mio nome è', 'il mio nome è Anna'],
    ['pt-BR', 'eu queria uma mesa para', 'eu queria uma mesa'],
    ['pt-PT', 'eu gostaria', 'eu gostaria muito'],
    ['pt', 'queria um', 'meia dois um'],
    ['nl-NL', 'ik wil een tafel voor', 'ik wil een tafel'],
    ['nl', 'mijn naam is', 'mijn naam is Jan'],
    ['nl', 'ik zoek een', 'nul zes een'],
  ])('in %s "%s" is unfinished, and of "%s" nothing is known', (language, unfinished, other) => {
    expect(judge(unfinished, language)).toBeLessThan(0.5);
    expect(judge(other, language)).toBeUndefined();
  });

  it('takes a single word for one that can end: "para" also means "stop"', () => {
    expect(judge('para', 'es-ES')).toBeUndefined();
    expect(judge('para', 'pt-BR')).toBeUndefined();
  });
});
