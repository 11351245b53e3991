import { baseLanguage, knownOptions, optionsOf } from '@parley/contract';
import { bytesOf } from '@parley/speech';
import { baseUrlOf, limitsOf, type ProviderAccount } from '../adapter';
import { invalidAnswer } from '../failures';
import { ProviderSocket } from '../provider-socket';
import type { Transcriber, TranscriptionOptions } from '../transcriber';
import { TranscriptionReport } from '../transcription-report';
import { errorOfMessage, provider, publicUrl, queryOf } from './protocol';

/** Flux recognizes best if audio is sent in pieces of this duration. */
const pieceMs = 80;

/** From this probability on, Flux reports that a turn may be over, together with the probability. */
const usualEagerThreshold = 0.4;

const events = new Set(['Update', 'StartOfTurn', 'EagerEndOfTurn', 'TurnResumed', 'EndOfTurn']);

/** Transcription with Flux. Each turn that it detects is a segment; its estimates of the end of a turn are reported as turn hints. */
export function flux(account: ProviderAccount, model: string): Transcriber {
  const limits = limitsOf(account);
  const multilingual = model.includes('multi');
  return {
    capabilities: { partials: true, turnHints: true, switchesLanguage: multilingual, detectsLanguage: multilingual },
    open(wanted, onEvent, signal) {
      const report = new TranscriptionReport(onEvent);
      const turns = new Turns(report);
      const socket = new ProviderSocket({
        provider,
        url: `${baseUrlOf(account, publicUrl).replace(/^http/, 'ws')}/v2/listen?${query(wanted, model, multilingual)}`,
        headers: { authorization: `Token ${account.apiKey ?? ''}` },
        agent: account.agent,
        limits,
        signal,
        onMessage: (message) => {
          if (message.type === 'Error') return socket.fail(errorOfMessage(message));
          if (message.type !== 'TurnInfo') return;
          if (!turns.take(message)) return socket.fail(invalidAnswer(provider, 'sent an event without a turn'));
          if (!turns.owed) socket.expect(undefined);
        },
        onFailed: (error) => report.failed(error),
      });
      // No audio has been sent yet, and Flux sends the first message.
      socket.expect(undefined);
      let pieces: Int16Array[] = [];
      let waiting = 0;
      const flush = (): void => {
        for (const piece of pieces) if (piece.length > 0) socket.send(bytesOf(piece));
        pieces = [];
        waiting = 0;
      };
      return {
        write: (samples) => {
          pieces.push(samples.slice());
          waiting += samples.length;
          if (waiting >= (pieceMs * wanted.sampleRate) / 1000) {
            pieces = [joined(pieces, waiting)];
            flush();
          }
        },
        finalize: () => {
          if (report.isOver) return;
          flush();
          socket.sendJson({ type: 'ForceEndTurn' });
          // If Flux has recognized no words, there is no turn to end, and it sends nothing.
          if (turns.ongoing) {
            turns.owed = true;
            socket.expect(limits.betweenMs);
          }
        },
        setLanguage: (language) => {
          if (multilingual) socket.sendJson({ type: 'Configure', language_hints: [baseLanguage(language)] });
        },
        close: () => {
          report.close();
          socket.close({ type: 'CloseStream' });
        },
      };
    },
  };
}

/** Converts Flux's reports about the caller's turns to events. */
class Turns {
  private partial = '';
  ongoing = false;
  /** Whether the end of a turn was requested and has not been reported yet. */
  owed = false;

  constructor(private readonly report: TranscriptionReport) {}

  /** Returns false if the message is not an event about a turn. */
  take({ event, turn_index: segment, transcript: text, ...rest }: Record<string, unknown>): boolean {
    if (typeof event !== 'string' || !events.has(event)) return typeof event === 'string';
    if (!Number.isInteger(segment) || typeof text !== 'string') return false;
    const { end_of_turn_confidence: confidence } = rest;
    const finished = typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence)) : undefined;
    if (event !== 'EndOfTurn') {
      if (text !== '') this.ongoing = true;
      if (text !== '' && text !== this.partial)
        this.report.event({ type: 'partial', segment: segment as number, text });
      this.partial = text;
      if (event === 'EagerEndOfTurn' && finished !== undefined) this.report.event({ type: 'turn_hint', finished });
      if (event === 'TurnResumed') this.report.event({ type: 'turn_hint', finished: 0 });
      return true;
    }
    this.partial = '';
    this.ongoing = false;
    this.owed = false;
    if (finished !== undefined) this.report.event({ type: 'turn_hint', finished });
    this.report.event({ type: 'final', segment: segment as number, text, ...timesOf(rest), ...languageOf(rest) });
    return true;
  }
}

function query(
  { language, alternatives, sampleRate, phrases, options: wanted }: TranscriptionOptions,
  model: string,
  multilingual: boolean,
): string {
  return queryOf({
    model,
    encoding: 'linear16',
    sample_rate: sampleRate,
    eager_eot_threshold: usualEagerThreshold,
    ...knownOptions(wanted, optionsOf('stt', provider, model)),
    keyterm: phrases,
    ...(multilingual && { language_hint: [...new Set([language, ...alternatives].map(baseLanguage))] }),
  });
}

function timesOf({ words }: Record<string, unknown>): { startMs?: number; endMs?: number } {
  const spoken = (Array.isArray(words) ? words : []) as { start?: unknown; end?: unknown }[];
  const [start, end] = [spoken[0]?.start, spoken.at(-1)?.end];
  if (typeof start !== 'number' || typeof end !== 'number') return {};
  return { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) };
}

function languageOf({ languages }: Record<string, unknown>): { language?: string } {
  const [language] = Array.isArray(languages) ? (languages as unknown[]) : [];
  return typeof language === 'string' ? { language } : {};
}

function joined(pieces: readonly Int16Array[], length: number): Int16Array {
  const all = new Int16Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
