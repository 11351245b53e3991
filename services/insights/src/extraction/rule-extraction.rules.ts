import type { ExtractionEvidence, Sentiment } from '@parley/contract';
import type { Extracted } from './output.rules';
import type { TranscriptLine } from './transcript-lines.rules';

interface PropertySchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
}

const positive = /\b(thanks?|thank you|great|perfect|wonderful|good|yes|danke|gut|gern)\b/giu;
const negative = /\b(no|not|bad|angry|terrible|wrong|complain\w*|unhappy|nein|nicht|schlecht)\b/giu;
const denied = /\b(no|not|never|don't|won't|nein|nicht|kein\w*)\b/iu;
const longestSummary = 300;

/**
 * Extracts data by rules, without a model: takes what is said near the words of a property's name and description. It understands nothing, so its results are
 * marked as simulated. The same transcript always gives the same result.
 */
export function extractByRules(schema: Readonly<Record<string, unknown>>, lines: readonly TranscriptLine[]): Extracted {
  const data: Record<string, unknown> = {};
  const evidence: ExtractionEvidence[] = [];
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, PropertySchema>)) {
    const found = valueOf(name, property, lines);
    if (found === undefined) continue;
    data[name] = found.value;
    evidence.push({ path: `data.${name}`, turn_ids: [found.line.id] });
  }
  const theirs = lines.filter(({ isAgent, text }) => !isAgent && text !== '');
  const last = theirs.at(-1);
  if (last !== undefined) evidence.push({ path: 'sentiment', turn_ids: theirs.map(({ id }) => id).slice(0, 100) });
  return {
    data,
    summary: `${lines.length} turns. The other party said: ${theirs.map(({ text }) => text).join(' ')}`.slice(
      0,
      longestSummary,
    ),
    sentiment: sentimentOf(theirs),
    success: { achieved: null, reason: 'rules do not judge it' },
    evidence,
  };
}

function valueOf(
  name: string,
  { type, description = '', enum: values }: PropertySchema,
  lines: readonly TranscriptLine[],
): { readonly value: unknown; readonly line: TranscriptLine } | undefined {
  if (values !== undefined) {
    for (const line of lines.filter(({ isAgent }) => !isAgent))
      for (const value of values) if (typeof value === 'string' && says(line.text, value)) return { value, line };
    return undefined;
  }
  const words = [...wordsOf(name, 2), ...wordsOf(description, 4)];
  const at = lines.findIndex(({ text }) => words.some((word) => says(text, word)));
  const mention = lines[at];
  if (mention === undefined) return undefined;
  // If the agent mentions the property, it asks for it, so the value is in the reply.
  const line = mention.isAgent ? lines.slice(at + 1).find(({ isAgent }) => !isAgent) : mention;
  if (line === undefined) return undefined;
  if (type === 'boolean') return { value: !denied.test(line.text), line };
  if (type === 'string') return { value: line.text, line };
  const number = /-?\d+(?:\.\d+)?/u.exec(line.text)?.[0];
  if ((type !== 'number' && type !== 'integer') || number === undefined) return undefined;
  return { value: type === 'integer' ? Math.trunc(Number(number)) : Number(number), line };
}

const wordsOf = (text: string, atLeast: number): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= atLeast);

const says = (text: string, word: string): boolean => text.toLowerCase().includes(word.toLowerCase());

function sentimentOf(lines: readonly TranscriptLine[]): Sentiment {
  const text = lines.map((line) => line.text).join(' ');
  const balance = (text.match(positive) ?? []).length - (text.match(negative) ?? []).length;
  if (balance === 0) return 'neutral';
  return balance > 0 ? 'positive' : 'negative';
}
