import { WebSocket, type RawData } from 'ws';
import type { Limits, ProviderAccount } from './adapter';
import { canceled, disconnected, errorOfStatus, invalidAnswer, retryAfterMs, stalled } from './failures';
import { ProviderError } from './provider-error';

/** With more unsent bytes than this, a provider that does not read counts as stalled: about 16 s of audio at 16,000 samples per second. */
const mostUnsentBytes = 512 * 1024;
const longestMessageBytes = 4 * 1024 * 1024;
/** How long to wait for a regular close of the connection. */
const closingMs = 60;

export interface ProviderSocketOptions {
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: ProviderAccount['agent'];
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Called with each text message that is a JSON object. */
  readonly onMessage: (message: Record<string, unknown>) => void;
  /** Called at most once, as the last event; never after `close`. */
  readonly onFailed: (error: ProviderError) => void;
}

/**
 * A WebSocket to a provider for one stream. It never reconnects: its user decides what happens after a failure. Messages sent before it is open are sent when
 * it opens.
 */
export class ProviderSocket {
  private readonly socket: WebSocket;
  private readonly unsent: (string | Buffer)[] = [];
  private unsentBytes = 0;
  private over = false;
  private paused = false;
  private timer: NodeJS.Timeout | undefined;
  private waits = 0;
  private expectedMs: number | undefined;
  private wasOpen = false;
  private readonly aborted = (): void => this.fail(canceled(this.options.provider));

  constructor(private readonly options: ProviderSocketOptions) {
    const { url, headers, agent, limits, signal } = options;
    this.socket = new WebSocket(url, {
      headers,
      agent,
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: longestMessageBytes,
    });
    this.socket.on('open', () => this.opened());
    this.socket.on('message', (data: RawData, isBinary: boolean) => this.take(data, isBinary));
    this.socket.on('unexpected-response', (_request, { statusCode = 0, headers: answered }) => {
      const retry = retryAfterMs(answered['retry-after'], Date.now());
      this.fail(errorOfStatus(options.provider, statusCode, retry));
    });
    this.socket.on('error', (error: Error & { code?: string }) => this.fail(this.errorOf(error)));
    this.socket.on('close', (code: number) => this.fail(this.errorOfClose(code)));
    this.wait(limits.connectMs);
    if (signal.aborted) queueMicrotask(this.aborted);
    else signal.addEventListener('abort', this.aborted, { once: true });
  }

  sendJson(message: Readonly<Record<string, unknown>>): void {
    this.send(JSON.stringify(message));
  }

  send(data: string | Buffer): void {
    if (this.over) return;
    const unsent = this.unsentBytes + this.socket.bufferedAmount;
    if (unsent + data.length > mostUnsentBytes) return this.fail(stalled(this.options.provider));
    if (this.socket.readyState === WebSocket.OPEN) return this.socket.send(data);
    this.unsent.push(data);
    this.unsentBytes += data.length;
  }

  /** Sets the time within which a message must arrive; undefined: no message is expected. */
  expect(ms: number | undefined): void {
    this.expectedMs = ms;
    if (this.socket.readyState === WebSocket.OPEN) this.wait(this.paused ? undefined : ms);
  }

  /** Pauses reading, and with it the timeout set by `expect`. */
  pause(paused: boolean): void {
    if (this.over || this.paused === paused) return;
    this.paused = paused;
    if (paused) this.socket.pause();
    else this.socket.resume();
    if (this.socket.readyState === WebSocket.OPEN) this.wait(paused ? undefined : this.expectedMs);
  }

  /** Closes the connection without a further event. @param last a final message to the provider */
  close(last?: Readonly<Record<string, unknown>>): void {
    if (this.over) return;
    this.finish();
    if (this.socket.readyState !== WebSocket.OPEN) return this.socket.terminate();
    if (last !== undefined) this.socket.send(JSON.stringify(last));
    this.socket.resume();
    this.socket.close(1000);
    setTimeout(() => this.socket.terminate(), closingMs);
  }

  fail(error: ProviderError): void {
    if (this.over) return;
    this.finish();
    this.socket.terminate();
    this.options.onFailed(error);
  }

  private opened(): void {
    this.wasOpen = true;
    for (const data of this.unsent.splice(0)) this.socket.send(data);
    this.unsentBytes = 0;
    this.wait(this.paused ? undefined : this.expectedMs);
  }

  private take(data: RawData, isBinary: boolean): void {
    if (this.over) return;
    const message = isBinary ? undefined : parsed(data);
    if (message === undefined)
      return this.fail(invalidAnswer(this.options.provider, 'sent a message that is not a JSON object'));
    this.wait(this.paused ? undefined : this.expectedMs);
    try {
      this.options.onMessage(message);
    } catch (error) {
      // A field has another type than the protocol says. Thrown in an event handler, this would end the process and the calls of others.
      if (!(error instanceof TypeError)) throw error;
      this.fail(invalidAnswer(this.options.provider, 'sent a message of another form'));
    }
  }

  private wait(ms: number | undefined): void {
    clearTimeout(this.timer);
    const waited = (this.waits += 1);
    if (ms === undefined || this.over) return;
    this.timer = setTimeout(() => {
      // If this process itself was delayed, messages that have already arrived are read first.
      setImmediate(() => {
        if (waited === this.waits) this.fail(stalled(this.options.provider));
      });
    }, ms);
  }

  private finish(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.options.signal.removeEventListener('abort', this.aborted);
  }

  private errorOf({ code = '' }: Error & { code?: string }): ProviderError {
    const { provider } = this.options;
    if (code.startsWith('WS_ERR')) return invalidAnswer(provider, 'broke the websocket protocol');
    return this.wasOpen ? disconnected(provider) : new ProviderError(provider, 'unavailable', 'cannot be reached');
  }

  private errorOfClose(code: number): ProviderError {
    const { provider } = this.options;
    if (code === 1007 || code === 1008) return new ProviderError(provider, 'invalid_request', `closed with ${code}`);
    if (!this.wasOpen) return new ProviderError(provider, 'unavailable', 'cannot be reached');
    if (code === 1011 || code === 1013) return new ProviderError(provider, 'unavailable', `closed with ${code}`);
    return disconnected(provider);
  }
}

function parsed(data: RawData): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse((data as Buffer).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
