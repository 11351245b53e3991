import {
  canceled,
  ProviderError,
  type SpokenWord,
  type SynthesisEvent,
  type SynthesisOptions,
  type SynthesisStream,
  type Synthesizer,
} from '@parley/providers';
import { circuitOf, failureOf, usable, type Candidate, type FallbackOptions } from './candidate';
import { firstToBegin } from './hedged';
import { resumeAt } from './resume';

/** A voice of the call, with the settings of its component. */
export interface CallVoice {
  readonly synthesizer: Synthesizer;
  /** Overrides the requested settings: a voice id, for example, is valid only for its own provider. */
  readonly own: Partial<Pick<SynthesisOptions, 'model' | 'voiceId' | 'delivery' | 'options'>>;
}

/** A voice with ordered fallbacks. After a failure the next one continues from the first word that was not heard. */
export function voiceWithFallback(candidates: readonly Candidate<CallVoice>[], options: FallbackOptions): Synthesizer {
  return {
    capabilities: {
      streamingText: candidates.every(({ component }) => component.synthesizer.capabilities.streamingText),
      timestamps: candidates.every(({ component }) => component.synthesizer.capabilities.timestamps),
    },
    open: (wanted, signal) => new Utterance(candidates, options, wanted, signal),
  };
}

class Utterance implements SynthesisStream {
  private text = '';
  private ended = false;
  private readonly active = new Set<SynthesisStream>();
  readonly events: AsyncIterable<SynthesisEvent>;

  constructor(
    private readonly candidates: readonly Candidate<CallVoice>[],
    private readonly options: FallbackOptions,
    private readonly wanted: SynthesisOptions,
    signal: AbortSignal,
  ) {
    this.events = this.spoken(signal);
  }

  write(text: string): void {
    if (this.ended) return;
    this.text += text;
    for (const stream of this.active) stream.write(text);
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const stream of this.active) stream.end();
  }

  private async *spoken(signal: AbortSignal): AsyncIterable<SynthesisEvent> {
    const { kind, breakers, onIncident } = this.options;
    const tried = new Set<Candidate<unknown>>();
    const allowed = usable(this.candidates, this.options);
    let from = 0;
    let beforeMs = 0;
    for (;;) {
      const [first, ...others] = allowed.filter((candidate) => !tried.has(candidate));
      if (first === undefined) throw new ProviderError('none', 'unavailable', 'no voice can be used');
      const hedge = others.find((other) => isHedgeOf(other, first));
      const offset = from;
      const words: SpokenWord[] = [];
      let ms = 0;
      let begun: Awaited<ReturnType<typeof firstToBegin<SynthesisEvent>>> | undefined;
      try {
        const asked = (hedge === undefined ? [first] : [first, hedge]).map((candidate) => ({
          ...candidate,
          component: (aborted: AbortSignal) => {
            tried.add(candidate);
            return this.open(candidate.component, offset, aborted);
          },
        }));
        begun = await firstToBegin(asked, signal, this.options);
        try {
          for (let result = begun.first; result.done !== true; result = await begun.rest.next()) {
            const event = result.value;
            if (event.type === 'audio') ms += (event.samples.length * 1000) / this.wanted.sampleRate;
            if (event.type !== 'words') yield event;
            else {
              const found = event.words.map((word) => ({ ...word, offset: word.offset + offset }));
              words.push(...found);
              yield { type: 'words', words: found.map((word) => shifted(word, beforeMs)) };
            }
            if (event.type === 'done') return;
          }
          return;
        } finally {
          this.active.clear();
          await begun.rest.return?.(undefined);
        }
      } catch (error) {
        this.active.clear();
        if (signal.aborted) throw canceled(first.provider);
        if (!(error instanceof ProviderError) || !error.mayFallBack) throw error;
        if (begun !== undefined) breakers.failed(circuitOf(begun.candidate), error);
        const following = allowed.find((candidate) => !tried.has(candidate));
        onIncident(failureOf(kind, error, following?.provider));
        if (following === undefined) throw error;
        from = resumeAt(this.text, offset, ms, words);
        beforeMs += Math.round(ms);
      }
    }
  }

  private open({ synthesizer, own }: CallVoice, from: number, signal: AbortSignal): AsyncIterable<SynthesisEvent> {
    const stream = synthesizer.open({ ...this.wanted, ...own }, signal);
    this.active.add(stream);
    const text = this.text.slice(from);
    if (text !== '') stream.write(text);
    if (this.ended) stream.end();
    return stream.events;
  }
}

const shifted = (word: SpokenWord, ms: number): SpokenWord => ({
  ...word,
  startMs: word.startMs + ms,
  endMs: word.endMs + ms,
});

const isHedgeOf = (other: Candidate<CallVoice>, first: Candidate<CallVoice>): boolean =>
  other.provider === first.provider &&
  other.credentialId !== first.credentialId &&
  other.component.own.model === first.component.own.model &&
  other.component.own.voiceId === first.component.own.voiceId;
