/** The protocol of test calls, `parley.audio.v1`, for programs and pages. Audio in both directions is signed 16 bits, 16,000 samples a second, one channel. */
import type { TestCallClientMessage, TestCallEnded, TestCallMessage } from './generated/test-call/types.gen.js';
import type { TestCall } from './generated/types.gen.js';

export type { TestCallMessage };

export interface TestCallHandlers {
  readonly onMessage?: (message: TestCallMessage) => void;
  /** Receives samples to play, in order. */
  readonly onSound?: (samples: Int16Array) => void;
  /** Called when audio that is queued for playback has to be dropped. */
  readonly onClear?: () => void;
  /** Resolves when all audio passed to `onSound` was played or dropped. Absent: audio counts as played immediately. */
  readonly played?: () => Promise<void>;
}

export type TestCallAddress = Readonly<Pick<TestCall, 'websocket_url' | 'token'>>;

export type TestCallSession = Readonly<ReturnType<typeof connectTestCall>>;

/** The close code, and the platform's last message if there was one. */
type TestCallEnd = { code: number; ended: TestCallEnded | undefined };

/** Connects to a call that `agents.createTestCall` has created. */
export function connectTestCall(
  { websocket_url: url, token }: TestCallAddress,
  { onMessage, onSound, onClear, played = () => Promise.resolve() }: TestCallHandlers = {},
) {
  if (token === undefined)
    throw new TypeError('a test call that was returned for a repeated Idempotency-Key has no token');
  const socket = new WebSocket(url, ['parley.audio.v1', `parley.token.${token}`]);
  socket.binaryType = 'arraybuffer';
  let isReady = false;
  let lastsUntil = 0;
  let ended: TestCallEnd['ended'];
  let begin = (): void => undefined;
  const closed = new Promise<TestCallEnd>((resolve) => (socket.onclose = ({ code }) => resolve({ code, ended })));
  const ready = new Promise<void>((resolve, reject) => {
    begin = resolve;
    closed.then(({ code }) => reject(new Error(`the connection ended with ${code} before the call was taken`)), reject);
  });
  // Programs that do not wait for `ready` must not end because of an unhandled rejection.
  ready.catch(() => undefined);

  const isOpen = (): boolean => isReady && socket.readyState === WebSocket.OPEN;
  const send = (message: TestCallClientMessage): void => {
    if (isOpen()) socket.send(JSON.stringify(message));
  };
  const take = (message: TestCallMessage): void => {
    onMessage?.(message);
    if (message.type === 'clear') onClear?.();
    if (message.type === 'ended') ended = message;
    if (message.type === 'ready') {
      isReady = true;
      begin();
    }
    if (message.type === 'mark') {
      const back = (): void => send(message);
      played().then(back, back);
    }
  };
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data instanceof ArrayBuffer) onSound?.(new Int16Array(data));
    else if (typeof data === 'string') take(JSON.parse(data) as TestCallMessage);
  };

  return {
    ready,
    closed,
    /**
     * Sends at most one second of samples.
     * @returns false if they were dropped: before `ready`, after the end, and if the audio sent so far would be more than 1.5 s ahead of real time, for example
     * after the program was paused; the platform ends calls that are 2 s ahead
     */
    sendSound(samples: Int16Array): boolean {
      const now = performance.now();
      const until = Math.max(now, lastsUntil) + samples.length / 16;
      if (!isOpen() || until - now > 1_500) return false;
      lastsUntil = until;
      socket.send(new Int16Array(samples));
      return true;
    },
    sendText: (text: string): void => send({ type: 'text', text }),
    sendDigits: (digits: string): void => send({ type: 'dtmf', digits }),
    hangUp: (): void => (isReady ? send({ type: 'hang_up' }) : socket.close()),
  };
}
