import { deepgramNova3, knownOptions, listedCode, optionsOf } from '@parley/contract';
import { bytesOf } from '@parley/speech';
import { baseUrlOf, limitsOf, type ProviderAccount } from '../adapter';
import { invalidAnswer } from '../failures';
import { ProviderSocket } from '../provider-socket';
import type { Transcriber, TranscriptionOptions } from '../transcriber';
import { TranscriptionReport } from '../transcription-report';
import { errorOfMessage, provider, publicUrl, queryOf } from './protocol';

/** Deepgram closes the connection after 10 s without audio or a message. */
const keepAliveMs = 4_000;

interface Alternative {
  readonly transcript?: unknown;
  readonly languages?: unknown;
}

/** Transcription with Nova: partial results while the caller speaks; `finalize` requests the rest at once. */
export function nova(account: ProviderAccount): Transcriber {
  const limits = limitsOf(account);
  return {
    capabilities: { partials: true, turnHints: false, switchesLanguage: false, detectsLanguage: true },
    open(wanted, onEvent, signal) {
      const report = new TranscriptionReport(onEvent);
      let segment = 0;
      let partial = '';
      const socket = new ProviderSocket({
        provider,
        url: `${baseUrlOf(account, publicUrl).replace(/^http/, 'ws')}/v1/listen?${query(wanted)}`,
        headers: { authorization: `Token ${account.apiKey ?? ''}` },
        agent: account.agent,
        limits,
        signal,
        onMessage: take,
        onFailed: (error) => {
          clearInterval(keepAlive);
          report.failed(error);
        },
      });
      const keepAlive = setInterval(() => socket.sendJson({ type: 'KeepAlive' }), keepAliveMs);

      function take(message: Record<string, unknown>): void {
        if (message.type === 'Error') return socket.fail(errorOfMessage(message));
        if (message.type !== 'Results') return;
        // The provider is responsive, so the timeout ends. A requested final result may never come if little audio was left.
        socket.expect(undefined);
        const [alternative] = ((message.channel as { alternatives?: Alternative[] } | undefined)?.alternatives ??
          []) as (Alternative | undefined)[];
        const text = alternative?.transcript;
        if (typeof text !== 'string') return socket.fail(invalidAnswer(provider, 'sent results without a transcript'));
        if (message.is_final !== true) {
          if (text === '' || text === partial) return;
          partial = text;
          return report.event({ type: 'partial', segment, text });
        }
        // Silence is reported as an empty result; it ends a segment only if a final result was requested.
        if (text === '' && partial === '' && message.from_finalize !== true) return;
        partial = '';
        report.event({ type: 'final', segment: segment++, text, ...timesOf(message), ...languageOf(alternative) });
      }

      return {
        write: (samples) => socket.send(bytesOf(samples)),
        finalize: () => {
          if (report.isOver) return;
          socket.sendJson({ type: 'Finalize' });
          socket.expect(limits.betweenMs);
        },
        setLanguage: () => {
          // Not supported, because the language of a connection is set when it is opened.
        },
        close: () => {
          clearInterval(keepAlive);
          report.close();
          socket.close({ type: 'CloseStream' });
        },
      };
    },
  };
}

function query({
  model = 'nova-3',
  language,
  alternatives,
  sampleRate,
  phrases,
  options: wanted,
}: TranscriptionOptions): string {
  return queryOf({
    model,
    encoding: 'linear16',
    sample_rate: sampleRate,
    channels: 1,
    // With `multi`, languages are distinguished while they are spoken.
    language: alternatives.length > 0 ? 'multi' : listedCode(deepgramNova3, language),
    interim_results: true,
    punctuate: true,
    ...knownOptions(wanted, optionsOf('stt', provider, model)),
    keyterm: phrases,
  });
}

function timesOf({ start, duration }: Record<string, unknown>): { startMs?: number; endMs?: number } {
  if (typeof start !== 'number' || typeof duration !== 'number') return {};
  return { startMs: Math.round(start * 1000), endMs: Math.round((start + duration) * 1000) };
}

function languageOf(alternative: Alternative | undefined): { language?: string } {
  const [language] = Array.isArray(alternative?.languages) ? (alternative.languages as unknown[]) : [];
  return typeof language === 'string' ? { language } : {};
}
