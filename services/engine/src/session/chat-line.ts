import type { CallClock } from './call-clock';
import type { CallLine, CallLineListener, LineWatermarks, UtteranceStart } from './call-line';

/** Text that the agent is writing or has pending. */
interface Writing {
  readonly utterance: number;
  text: string;
  held: boolean;
  finished: boolean;
  begun: boolean;
}

/** The line of a chat. The agent's text counts as read immediately, and each message of the other side is a complete turn. */
export class ChatLine implements CallLine {
  readonly hasSound = false;
  readonly cannot = new Set(['press', 'transfer'] as const);
  private listener: CallLineListener | undefined;
  private writing: Writing | undefined;
  private takeBackIdle: (() => void) | undefined;

  /** @param idleMs the chat ends after this time without a message from either side */
  constructor(
    private readonly clock: CallClock,
    private readonly idleMs: number,
  ) {}

  open(listener: CallLineListener): void {
    this.listener = listener;
    this.rest();
    listener.input({ type: 'answered' });
    listener.input({ type: 'media_started', received: null });
  }

  /** The other side has sent a message. */
  type(text: string): void {
    this.rest();
    this.listener?.input({ type: 'typed', text });
  }

  /** The other side has left. */
  leave(): void {
    this.listener?.input({ type: 'hung_up' });
  }

  watermarks(): LineWatermarks {
    return {};
  }

  start({ utterance, held }: UtteranceStart): void {
    this.rest();
    this.writing = { utterance, held, text: '', finished: false, begun: false };
  }

  speak(utterance: number, text: string): void {
    const { writing } = this;
    if (writing?.utterance !== utterance) return;
    writing.text += text;
    this.show(writing);
  }

  finish(utterance: number): void {
    const { writing } = this;
    if (writing?.utterance !== utterance) return;
    writing.finished = true;
    this.show(writing);
  }

  release(utterance: number): void {
    const { writing } = this;
    if (writing?.utterance !== utterance) return;
    writing.held = false;
    this.show(writing);
  }

  hold(utterance: number): void {
    if (this.writing?.utterance === utterance && !this.writing.begun) this.writing.held = true;
  }

  stop(utterance: number): void {
    if (this.writing?.utterance === utterance) this.writing = undefined;
  }

  sayAside(): void {}

  typingSound(): void {}

  stopAside(): void {}

  press(): void {}

  finalizeTranscript(): void {}

  reopenTranscriber(): void {
    this.listener?.input({ type: 'transcriber_opened' });
  }

  setLanguage(): void {}

  setMuted(): void {}

  setRecording(): void {}

  hangUp(): void {
    this.takeBackIdle?.();
  }

  end(): void {
    this.takeBackIdle?.();
    this.listener = undefined;
  }

  handedOver(): Promise<void> {
    return Promise.resolve();
  }

  recorded(): Promise<void> {
    return Promise.resolve();
  }

  private show(writing: Writing): void {
    const { utterance, text, finished } = writing;
    if (!writing.begun && text !== '') {
      writing.begun = true;
      this.listener?.input({ type: 'speech_audio', utterance });
    }
    if (finished) this.listener?.input({ type: 'speech_done', utterance, durationMs: 0 });
    if (writing.held) return;
    this.listener?.input({ type: 'played', utterance, offset: text.length, ms: 0 });
    if (!finished) return;
    this.writing = undefined;
    this.listener?.input({ type: 'playout_finished', utterance });
  }

  private rest(): void {
    this.takeBackIdle?.();
    this.takeBackIdle = this.clock.after(this.idleMs, () =>
      this.listener?.input({ type: 'failed', reason: 'no_caller_speech_after_answer' }),
    );
  }
}
