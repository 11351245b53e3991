import { AppError, badRequest, internal } from '@parley/errors';
import { Agent, request, type Dispatcher } from 'undici';
import type { SpeechHttpRequest, SpeechProtocol, SpeechRequest } from '../providers';
import type { SpeechSynthesizer } from './speech-synthesizer';
import { waveOf } from '@parley/speech';

export interface HttpVoiceOptions {
  readonly protocol: SpeechProtocol;
  /** This installation's own account; goes nowhere but into the request. */
  readonly apiKey: string;
  /** In place of the provider's public address; without a slash at the end. */
  readonly baseUrl?: string | undefined;
  /** Milliseconds for a whole synthesis. */
  readonly timeoutMs: number;
  /** Previews under way at once, half of them of one owner at most; one more is 429. */
  readonly atOnce: number;
}

/** Samples a second of what providers are asked for. */
const pcmSampleRate = 24_000;

/** Two minutes of speech: far beyond the longest text of a preview. */
const maxPcmBytes = 120 * 2 * pcmSampleRate;

/** A connection for each preview: one that was kept may be closed by the provider in the moment it is used again. */
const connections = new Agent({ pipelining: 0 });

/** A provider's voices over its HTTP protocol, on the account of this installation. */
export class HttpVoice implements SpeechSynthesizer {
  /** Owners of the previews that are under way. */
  private readonly underWay: string[] = [];

  constructor(private readonly options: HttpVoiceOptions) {}

  /** @throws also internal_error 502 when the provider fails or refuses the account, 504 when it takes too long */
  async synthesize(speech: SpeechRequest): Promise<Buffer> {
    const { owner } = speech;
    const own = this.underWay.filter((one) => one === owner).length;
    // Half of the places are for others.
    if (this.underWay.length >= this.options.atOnce || own >= Math.ceil(this.options.atOnce / 2)) throw tooMany(1);
    this.underWay.push(owner);
    try {
      const response = await this.send(this.options.protocol.request(speech, this.options.apiKey));
      if (response.statusCode !== 200) throw await refusal(response);
      return waveOf(await bodyOf(response), pcmSampleRate);
    } catch (error) {
      throw faultOf(error);
    } finally {
      this.underWay.splice(this.underWay.indexOf(owner), 1);
    }
  }

  /** Redirections are not followed: they would carry the key elsewhere. */
  private send({ path, headers, body }: SpeechHttpRequest): Promise<Dispatcher.ResponseData> {
    const { protocol, baseUrl = protocol.baseUrl, timeoutMs } = this.options;
    return request(`${baseUrl}${path}`, {
      dispatcher: connections,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}

async function bodyOf({ body }: Dispatcher.ResponseData): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxPcmBytes) throw internal(new Error('the provider answered more than a preview can hold'), 502);
    parts.push(part);
  }
  // An odd byte is half a sample: the answer was cut.
  if (bytes === 0 || bytes % 2 === 1) throw internal(new Error(`the provider answered ${bytes} bytes of audio`), 502);
  return Buffer.concat(parts);
}

/** What the provider says of the request is the client's to mend; what it says of the account or of itself is not. */
async function refusal({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<AppError> {
  await body.dump();
  if (statusCode === 429) return tooMany(secondsOf(headers['retry-after']));
  if (statusCode === 400 || statusCode === 404 || statusCode === 422)
    return badRequest('voice, language or text is refused by the provider of the voice');
  return internal(new Error(`the provider answered ${statusCode}`), 502);
}

const secondsOf = (header: string | string[] | undefined): number =>
  typeof header === 'string' && /^\d{1,4}$/.test(header) ? Number(header) : 1;

function tooMany(seconds: number): AppError {
  return new AppError('rate_limited', 'too many voice previews at once', { fields: { retry_after_seconds: seconds } });
}

function faultOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return internal(error, error instanceof DOMException && error.name === 'TimeoutError' ? 504 : 502);
}
