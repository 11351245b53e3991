import { OutsidePieces, outsideText } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import { Thoughts } from '@parley/speech';
import { askForTurn, TurnFailed, type AskedServer } from '../external/ask-for-turn';
import { turnRequest, type TurnSubject } from '../external/turn-request';
import type { Shortfall } from '../core/problems';
import type { OnModelInput, Replies, StartModel } from './replies';

export interface ExternalRepliesOptions {
  readonly server: Pick<AskedServer, 'url' | 'fetch'>;
  /** Empty if requests are not signed. */
  readonly secrets: readonly string[];
  readonly subject: TurnSubject;
  /** The prefix of tool call ids in this call. */
  readonly callId: string;
  /** Said if the server fails. If empty, nothing is said and the call ends. */
  readonly fallback: string;
  readonly now: () => Date;
  readonly onInput: OnModelInput;
  readonly note: (problem: Shortfall) => void;
  /** Used while an attempt runs; see `CallClock.hold`. */
  readonly hold: () => () => void;
  readonly log: Logger;
  /** Default: 8 s. Less than the minimum of model_unresponsive, so that the fallback text is heard before that limit ends the call. */
  readonly firstMs?: number;
}

const defaultFirstMs = 8_000;
const mostBytes = 64 * 1024;
const mostAddress = 256;
/** The number of consecutive failures after which the call ends. */
const mostFailures = 3;

/** Uses the customer's server instead of a model (`external_text`). Each turn is one request, which an interruption cancels. */
export class ExternalReplies implements Replies {
  private readonly running = new Map<number, AbortController>();
  /** The number of the latest attempt that has produced text. */
  private said = 0;
  private failures = 0;

  constructor(private readonly options: ExternalRepliesOptions) {}

  start(attempt: StartModel): void {
    const controller = new AbortController();
    this.running.set(attempt.attempt, controller);
    const release = this.options.hold();
    this.reply(attempt, controller.signal)
      .catch((error: unknown) => this.failed(attempt.attempt, controller.signal, error))
      .finally(() => {
        this.running.delete(attempt.attempt);
        release();
      });
  }

  cancel(attempt: number): void {
    this.running.get(attempt)?.abort();
  }

  end(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  private async reply({ attempt, turnId, history }: StartModel, signal: AbortSignal): Promise<void> {
    const { server, secrets, subject, callId, now, firstMs = defaultFirstMs, onInput } = this.options;
    // The customer's server may pass on what a model writes.
    const pieces = new OutsidePieces(mostBytes);
    const thoughts = new Thoughts();
    const say = (text: string): void => {
      if (text === '') return;
      this.said = attempt;
      onInput({ type: 'model_delta', attempt, text });
    };
    const request = turnRequest(subject, { turnId, history }, secrets, now());
    for await (const event of askForTurn({ ...server, firstMs, mostBytes }, request, signal)) {
      if (signal.aborted) return;
      if (event.type === 'delta') {
        say(thoughts.read(pieces.read(event.text)));
        continue;
      }
      say(thoughts.read(pieces.end()) + thoughts.end());
      const { transferTo, endCall } = event;
      if (this.said !== attempt && !endCall && transferTo === undefined)
        throw new TurnFailed('invalid_answer', 'neither text, end_call nor transfer_to');
      const id = `${callId}_${attempt}_1`;
      const call =
        transferTo === undefined
          ? { id, name: 'end_call', arguments: '{}' }
          : { id, name: 'transfer_call', arguments: JSON.stringify({ to: outsideText(transferTo, mostAddress) }) };
      if (endCall || transferTo !== undefined) onInput({ type: 'model_tool_call', attempt, call });
      this.failures = 0;
      onInput({ type: 'model_done', attempt });
    }
  }

  private failed(attempt: number, signal: AbortSignal, error: unknown): void {
    if (signal.aborted) return;
    const { log, note, onInput, fallback } = this.options;
    log.warn({ err: error, attempt }, "the agent's own server failed");
    this.failures += 1;
    const code = error instanceof TurnFailed ? `${error.code}: ${error.message}` : 'an unexpected error';
    note({ code: 'external_server_failed', detail: `the agent's own server failed in attempt ${attempt}: ${code}` });
    if (fallback === '' || this.failures >= mostFailures)
      return onInput({ type: 'model_failed', attempt, retry: false });
    onInput({ type: 'model_delta', attempt, text: this.said === attempt ? ` ${fallback}` : fallback });
    onInput({ type: 'model_done', attempt });
  }
}
