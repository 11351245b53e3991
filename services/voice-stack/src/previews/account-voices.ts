import { AppError, badRequest, internal } from '@parley/errors';
import { deliveryControls, ProviderError, type Synthesizer, type SynthesisStream } from '@parley/providers';
import { bytesOf, waveOf } from '@parley/speech';
import type { SpeechRequest } from './speech-request';

export interface AccountVoicesOptions {
  /** Timeout of a whole synthesis in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum of concurrent previews; a single owner may use half of them. Further ones are refused with 429. */
  readonly atOnce: number;
}

const sampleRate = 16_000;
/** Far more than the longest text of a preview needs. */
const mostSamples = 120 * sampleRate;

/** Synthesizes previews with providers' voices, using the same adapters as calls. */
export class AccountVoices {
  /** The owners of the previews in progress. */
  private readonly underWay: string[] = [];

  constructor(private readonly options: AccountVoicesOptions) {}

  /**
   * Returns RIFF WAVE, 16-bit PCM, one channel.
   * @throws AppError BadRequestError if the provider refuses the request; rate_limited; internal_error 502 or 504 if the provider fails or takes too long
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
    if (length > mostSamples) throw internal(new Error('the response of the provider is too large for a preview'), 502);
    pieces.push(event.samples);
  }
  if (length === 0) throw internal(new Error('the provider sent no audio'), 502);
  const all = new Int16Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Converts a provider's error: the client can correct errors about request and account, but not failures of the provider. */
function answerOf(error: unknown, late: boolean): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof ProviderError)) return internal(error, 502);
  if (error.code === 'rate_limited') return tooMany(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000));
  if (error.code === 'unauthorized') return badRequest('voice: its provider rejects the component credential');
  if (error.code === 'invalid_request')
    return badRequest('voice, language or text is rejected by the provider of the voice');
  return internal(error, late || error.code === 'stalled' ? 504 : 502);
}

function tooMany(seconds: number): AppError {
  return new AppError('rate_limited', 'too many concurrent voice previews', {
    fields: { retry_after_seconds: seconds },
  });
}
