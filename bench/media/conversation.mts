import { finalTranscriptMs, holdMs, interruptionMs } from './delays.mts';
import type { Playout } from './playout.mts';
import type { ChatMessage, ReplyAttempt } from './reply-attempt.mts';
import type { SpeechDetector } from './speech-detector.mts';
import type { Transcript } from './uplink.mts';

const perMs = 8;
/** The timeout of a final transcript, measured from the last voice. After it the held reply is played anyway. */
const phantomMs = 1_500;
/** The timeout for the first audio of a released reply. */
const silentReplyMs = 6_000;
const mostMessages = 20;

export interface Turn {
  readonly speaker: 'agent' | 'caller';
  readonly text: string;
  readonly started_ms: number;
  readonly ended_ms: number;
}

export type NewAttempt = (messages: readonly ChatMessage[], onAudio: (samples: Int16Array) => void) => ReplyAttempt;

interface Reply {
  readonly attempt: ReplyAttempt;
  /** Audio synthesized during the hold, which is kept until it is the agent's turn. */
  held: Int16Array[];
  releasedAt: number | undefined;
  hasSounded: boolean;
}

export interface ConversationCounts {
  replies: number;
  interruptions: number;
  silentReplies: number;
}

/**
 * The turn-taking of one call: when a reply is requested, held, played and canceled. All deadlines of the caller's side are measured in samples of received
 * audio, so that a burst of late audio does not end a turn early.
 */
export class Conversation {
  readonly turns: Turn[] = [];
  private readonly detector: SpeechDetector;
  private readonly playout: Playout;
  private readonly newAttempt: NewAttempt;
  private readonly counts: ConversationCounts;
  private readonly messages: ChatMessage[] = [];
  private words: string[] = [];
  private awaitsFinal = false;
  private reply: Reply | undefined;

  constructor(detector: SpeechDetector, playout: Playout, newAttempt: NewAttempt, counts: ConversationCounts) {
    this.detector = detector;
    this.playout = playout;
    this.newAttempt = newAttempt;
    this.counts = counts;
  }

  /** Takes the result for one window of the caller's audio. */
  judged(probability: number): void {
    if (this.detector.take(probability) === 'started') this.awaitsFinal = true;
  }

  transcribed({ type, text }: Transcript): void {
    // Words spoken over an audible reply are backchannel, unless they lasted long enough to stop it.
    if (type !== 'final' || this.reply?.releasedAt !== undefined) return;
    this.awaitsFinal = false;
    this.words.push(text);
    this.reply?.attempt.cancel();
    const reply: Reply = {
      attempt: this.newAttempt(
        [...this.messages, { role: 'user', content: this.words.join(' ') }],
        (samples) => this.reply === reply && this.take(reply, samples),
      ),
      held: [],
      releasedAt: undefined,
      hasSounded: false,
    };
    this.reply = reply;
  }

  /**
   * Called at every step of the pacer. @param received the number of samples received so far
   * @param transcribes false if no transcriber is connected
   */
  step(now: number, received: number, transcribes: boolean): void {
    const { detector, reply } = this;
    const quietMs = (received - detector.lastVoice) / perMs;
    if (!transcribes && this.awaitsFinal && !detector.speaking && quietMs >= finalTranscriptMs)
      this.transcribed({ type: 'final', text: 'a sentence without a transcriber' });
    if (this.awaitsFinal && !detector.speaking && quietMs >= phantomMs) this.awaitsFinal = false;
    if (reply === undefined) return;
    if (reply.releasedAt === undefined) {
      if (!detector.speaking && !this.awaitsFinal && quietMs >= holdMs) this.release(reply, now);
      return;
    }
    const speechMs = (received - detector.since) / perMs;
    if (detector.speaking && speechMs >= interruptionMs) return this.interrupt(reply, now, received);
    const isHeard = this.playout.isSpeaking(now);
    if (reply.attempt.finished && !isHeard) return this.end(reply, received);
    if (reply.hasSounded || now - reply.releasedAt < silentReplyMs) return;
    this.counts.silentReplies += 1;
    reply.attempt.cancel();
    this.reply = undefined;
  }

  end(reply = this.reply, received = 0): void {
    if (reply === undefined) return;
    reply.attempt.cancel();
    this.reply = undefined;
    if (reply.releasedAt === undefined) return;
    const at = Math.round(received / perMs);
    this.remember({ role: 'assistant', content: reply.attempt.text });
    this.turns.push({ speaker: 'agent', text: reply.attempt.text, started_ms: at, ended_ms: at });
  }

  private take(reply: Reply, samples: Int16Array): void {
    if (reply.releasedAt === undefined) {
      reply.held.push(samples);
      return;
    }
    reply.hasSounded = true;
    this.playout.say(samples, performance.now());
  }

  private release(reply: Reply, now: number): void {
    this.counts.replies += 1;
    reply.releasedAt = now;
    const text = this.words.join(' ');
    this.words = [];
    this.remember({ role: 'user', content: text });
    const ended = Math.round(this.detector.lastVoice / perMs);
    this.turns.push({ speaker: 'caller', text, started_ms: Math.round(this.detector.since / perMs), ended_ms: ended });
    for (const samples of reply.held.splice(0)) this.take(reply, samples);
  }

  private interrupt(reply: Reply, now: number, received: number): void {
    this.counts.interruptions += 1;
    this.playout.stop(now);
    this.end(reply, received);
    this.awaitsFinal = true;
  }

  private remember(message: ChatMessage): void {
    this.messages.push(message);
    if (this.messages.length > mostMessages) this.messages.splice(0, 2);
  }
}
