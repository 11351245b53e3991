/** The protocol of test calls, `parley.audio.v1`, for programs and pages. Audio in both directions is signed 16 bits, 16,000 samples a second, one channel. */

export type TestCallMessage =
  | { type: 'ready' }
  | { type: 'state'; state: 'listening' | 'thinking' | 'speaking' }
  | { type: 'transcript'; speaker: 'caller' | 'agent'; turn_id: string; text: string; final: boolean }
  | { type: 'mark'; name: string }
  | { type: 'clear' }
  | { type: 'tool'; name: string; state: string }
  | { type: 'ended'; ended_reason: string | null; reason_detail: string | null };

export interface TestCallHandlers {
  readonly onMessage?: (message: TestCallMessage) => void;
  /** Receives samples to play, in order. */
  readonly onSound?: (samples: Int16Array) => void;
  /** Called when audio that is queued for playback has to be dropped. */
  readonly onClear?: () => void;
  /** Resolves when all audio passed to `onSound` was played or dropped. Absent: audio counts as played immediately. */
  readonly played?: () => Promise<void>;
}

export interface TestCallAddress {
  readonly websocket_url: string;
  readonly token?: string;
}

export interface TestCallSession {
  /**
   * Sends at most one second of samples.
   * @returns false if they were dropped: before `ready`, after the end, and if the audio sent so far would be more than 1.5 s ahead of real time, for example
   * after the program was paused; the platform ends calls that are 2 s ahead
   */
  sendSound(samples: Int16Array): boolean;
  sendText(text: string): void;
  sendDigits(digits: string): void;
  hangUp(): void;
  readonly ready: Promise<void>;
  /** Resolves with the close code, and with the platform's last message if there was one. */
  readonly closed: Promise<{ code: number; ended: Extract<TestCallMessage, { type: 'ended' }> | undefined }>;
}

/** Connects to a call that `agents.createTestCall` has created. */
export function connectTestCall(
  { websocket_url: url, token }: TestCallAddress,
  handlers: TestCallHandlers = {},
): TestCallSession {
  if (token === undefined)
    throw new TypeError('a test call that was returned for a repeated Idempotency-Key has no token');
  const socket = new WebSocket(url, ['parley.audio.v1', `parley.token.${token}`]);
  socket.binaryType = 'arraybuffer';
  let isReady = false;
  let lastsUntil = 0;
  let ended: Extract<TestCallMessage, { type: 'ended' }> | undefined;
  const ready = deferred<void>();
  const closed = deferred<{ code: number; ended: typeof ended }>();
  // Programs that do not wait for `ready` must not end because of an unhandled rejection.
  ready.promise.catch(() => undefined);

  const send = (message: object): void => {
    if (isReady && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const take = (message: TestCallMessage): void => {
    handlers.onMessage?.(message);
    if (message.type === 'ready') {
      isReady = true;
      ready.resolve();
    } else if (message.type === 'clear') handlers.onClear?.();
    else if (message.type === 'mark') {
      const back = (): void => send({ type: 'mark', name: message.name });
      if (handlers.played) handlers.played().then(back, back);
      else back();
    } else if (message.type === 'ended') ended = message;
  };
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data instanceof ArrayBuffer) handlers.onSound?.(new Int16Array(data));
    else if (typeof data === 'string') take(JSON.parse(data) as TestCallMessage);
  });
  socket.addEventListener('close', ({ code }) => {
    isReady = false;
    ready.reject(new Error(`the connection ended with ${code} before the call was taken`));
    closed.resolve({ code, ended });
  });

  return {
    ready: ready.promise,
    closed: closed.promise,
    sendSound(samples) {
      if (!isReady || socket.readyState !== WebSocket.OPEN) return false;
      const now = performance.now();
      const until = Math.max(now, lastsUntil) + samples.length / 16;
      if (until - now > 1_500) return false;
      lastsUntil = until;
      socket.send(new Int16Array(samples));
      return true;
    },
    sendText: (text) => send({ type: 'text', text }),
    sendDigits: (digits) => send({ type: 'dtmf', digits }),
    hangUp: () => (isReady ? send({ type: 'hang_up' }) : socket.close()),
  };
}

/** Promise.withResolvers, which Node 20 does not have. */
function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
