import { randomBytes } from 'node:crypto';
import type { Background, Logger, NatsConnections } from '@parley/runtime';
import type { Signals, SignalTopic } from '../../telephony';

/** Subject prefix of signals between replicas of this service. If a signal is lost, its receiver only notices the change later. */
const prefix = 'signals.telephony.';

export interface SignalsOptions {
  readonly nats: NatsConnections;
  readonly log: Logger;
}

/** Encodes an id as a subject token: ids are those of commands and calls, or names chosen by workers, which may contain any character. */
const token = (id: string): string => Buffer.from(id).toString('base64url');

export class NatsSignals implements Signals, Background {
  readonly name = 'signals';
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();
  /** Identifies this process at the beginning of every payload, so that it ignores its own signals. */
  private readonly origin = randomBytes(8).toString('hex');
  private publish: ((subject: string, payload: string) => void) | undefined;
  private close: () => void = () => undefined;
  private stopped = false;

  constructor(private readonly options: SignalsOptions) {}

  send(topic: SignalTopic, id: string, payload = ''): void {
    const name = `${topic}.${token(id)}`;
    this.dispatch(name, payload);
    try {
      this.publish?.(prefix + name, `${this.origin} ${payload}`);
    } catch (error) {
      this.options.log.debug({ err: error, topic }, 'a signal could not be sent');
    }
  }

  on(topic: SignalTopic, id: string, listener: (payload: string) => void): () => void {
    const name = `${topic}.${token(id)}`;
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(name) === listeners) this.listeners.delete(name);
    };
  }

  start(): void {
    this.listen().catch((error: unknown) =>
      this.options.log.warn({ err: error }, 'signals of other replicas are found by polling'),
    );
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.publish = undefined;
    this.close();
  }

  private async listen(): Promise<void> {
    const connection = await this.options.nats.connection();
    if (this.stopped) return;
    const subscription = connection.subscribe(`${prefix}>`, {
      callback: (error, message) => {
        if (error !== null) return;
        const text = message.string();
        const end = text.indexOf(' ');
        if (text.slice(0, end) !== this.origin)
          this.dispatch(message.subject.slice(prefix.length), text.slice(end + 1));
      },
    });
    this.close = () => subscription.unsubscribe();
    // Signals are dropped while the server is unavailable, because a late signal is useless.
    this.publish = (subject, payload) => {
      if (this.options.nats.connected) connection.publish(subject, payload);
    };
  }

  private dispatch(name: string, payload: string): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener(payload);
  }
}

/**
 * Starts listening, so that later waits also notice signals that arrived in between. A wait resolves when the signal arrives, after `ms`, or when `signal` is
 * aborted.
 */
export function armed(signals: Signals, topic: SignalTopic, id: string) {
  let came = false;
  let said = '';
  let wake: () => void = () => undefined;
  const off = signals.on(topic, id, (payload) => {
    came = true;
    if (payload !== '') said = payload;
    wake();
  });
  return {
    off,
    /** Returns and clears the payload of the last signal that had one. */
    taken(): string {
      const taken = said;
      said = '';
      return taken;
    },
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      if (!came && !signal.aborted && ms > 0) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, ms);
          signal.addEventListener('abort', wake, { once: true });
        });
        clearTimeout(timer);
        // Node keeps a signal made by `AbortSignal.any` as long as it has a listener.
        signal.removeEventListener('abort', wake);
      }
      came = false;
    },
  };
}
