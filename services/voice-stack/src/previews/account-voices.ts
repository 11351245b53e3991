import { AppError, badRequest, internal } from '@parley/errors';
import { deliveryControls, ProviderError, type Synthesizer, type SynthesisStream } from '@parley/providers';
import { bytesOf, waveOf } from '@parley/speech';
import type { SpeechRequest } from './speech-request';

export interface AccountVoicesOptions {
  /** Milliseconds for a whole synthesis. */
  readonly timeoutMs: number;
  /** Maximum concurrent previews, half of them of one owner; one more is 429. */
  readonly atOnce: number;
}

const sampleRate = 16_000;
/** Far beyond the longest text of a preview. */
const mostSamples = 120 * sampleRate;

/** Voices of providers, by the adapters of calls. */
export class AccountVoices {
  /** Owners of the previews that are under way. */
  private readonly underWay: string[] = [];

  constructor(private readonly options: AccountVoicesOptions) {}

  /**
   * RIFF WAVE, 16-bit PCM, one channel.
   * @throws AppError BadRequestError for what the provider refuses; rate_limited; internal_error 502 and 504 where the provider fails or takes too long
   */
  async synthesize(synthesizer: Synthesizer, speech: SpeechRequest): Promise<Buffer> {
    const { owner } = speech;
    const own = this.underWay.filter((one) => one === owner).length;
    // Half of the slots are reserved for other owners.
    if (this.underWay.length >= this.options.atOnce || own >= Math.ceil(this.options.atOnce / 2)) throw tooMany(1);
    this.underWay.push(owner);
    const signal = AbortSignal.timeout(this.options.timeoutMs);
    try {
      return waveOf(bytesOf(await collectSamples(spoken(synthesizer, speech, signal))), sampleRate);
    } catch (error) {
      throw answerOf(error, signal.aborted);
    } finally {
      this.underWay.splice(this.underWay.indexOf(owner), 1);
    }
  }
}

function spoken(synthesizer: Synthesizer, speech: SpeechRequest, signal: AbortSignal): SynthesisStream {
  const { model, voiceId, language, delivery, options, text } = speech;
  const wanted = { model, voiceId, language, sampleRate, delivery: deliveryControls(delivery), options } as const;
  const stream = synthesizer.open(wanted, signal);
  stream.write(text);
  stream.end();
  return stream;
}

async function collectSamples({ events }: SynthesisStream): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  let length = 0;
  for await (const event of events) {
    if (event.type !== 'audio') continue;
    length += event.samples.length;
    if (length > mostSamples) throw internal(new Error('the provider sent more than a preview can hold'), 502);
    pieces.push(event.samples);
  }
  if (length === 0) throw internal(new Error('the provider sent no sound'), 502);
  const all = new Int16Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Errors about request and account are the client's to fix; the provider's own failures are not. */
function answerOf(error: unknown, late: boolean): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof ProviderError)) return internal(error, 502);
  if (error.code === 'rate_limited') return tooMany(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000));
  if (error.code === 'unauthorized') return badRequest('voice: its provider refuses the component credential');
  if (error.code === 'invalid_request')
    return badRequest('voice, language or text is refused by the provider of the voice');
  return internal(error, late || error.code === 'stalled' ? 504 : 502);
}

function tooMany(seconds: number): AppError {
  return new AppError('rate_limited', 'too many voice previews at once', { fields: { retry_after_seconds: seconds } });
}
