import { baseLanguage } from '@parley/contract';
import { bytesOf, waveOf } from '@parley/speech';
import { randomUUID } from 'node:crypto';
import { limitsOf, type ProviderAccount } from '../adapter';
import { invalidAnswer } from '../failures';
import { errorOfRequest } from '../http-failure';
import { SegmentTranscription } from '../segment-transcription';
import type { Transcriber, TranscriptionOptions } from '../transcriber';
import { Watch } from '../watch';
import { clientOf, type OpenAiServer } from './client';

/** Transcription with `/audio/transcriptions`: each segment is sent as a WAVE file. */
export function segmentTranscriber(server: OpenAiServer, account: ProviderAccount): Transcriber {
  const client = clientOf(server, account);
  const limits = limitsOf(account);
  const { provider } = server;

  async function recognize(
    samples: Int16Array,
    language: string,
    { model, sampleRate, phrases }: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<string> {
    const watch = new Watch(signal);
    const context = { provider, watch, answered: false };
    try {
      watch.expect(limits.connectMs + limits.firstMs);
      const { type, body } = formOf(waveOf(bytesOf(samples), sampleRate), {
        model: model ?? 'whisper-1',
        // ISO 639-1, that is, without script or region.
        language: baseLanguage(language),
        response_format: 'json',
        ...(phrases.length > 0 && { prompt: phrases.join(', ') }),
      });
      const response = await client
        .post('/audio/transcriptions', { body, headers: { 'content-type': type }, signal: watch.signal })
        .asResponse();
      context.answered = true;
      const { text } = JSON.parse(await response.text()) as { text?: unknown };
      if (typeof text !== 'string') throw invalidAnswer(provider, 'answered without a transcript');
      watch.finish();
      return text.trim();
    } catch (error) {
      watch.abandon();
      throw errorOfRequest(context, error);
    }
  }

  return {
    capabilities: { partials: false, turnHints: false, switchesLanguage: true, detectsLanguage: false },
    open: (options, onEvent, signal) =>
      new SegmentTranscription(
        provider,
        (samples, language, wanted) => recognize(samples, language, options, wanted),
        options,
        onEvent,
        signal,
      ),
  };
}

/** A form with one file, encoded as bytes. A form that `fetch` streams itself would crash the process if its request is aborted while the form is read. */
function formOf(
  file: Buffer,
  fields: Readonly<Record<string, string>>,
): { readonly type: string; readonly body: Buffer } {
  const boundary = randomUUID();
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="segment.wav"\r\ncontent-type: audio/wav\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}
