import { interruptionMs } from './delays.mts';
import type { VirtualLine } from './virtual-line.mts';

/** An utterance as frames of 20 ms, as base64. */
export type Frames = readonly string[];

export interface CallerWords {
  readonly questions: readonly Frames[];
  readonly interruptions: readonly Frames[];
}

/** One carrier's measurements over all of its calls. */
export interface Findings {
  /** From the caller's last to the agent's first audio, ms. */
  readonly responseMs: number[];
  /** From when the caller had spoken long enough to interrupt the agent until it was silent, ms. */
  readonly stopMs: number[];
  /** Utterances begun, including interruptions. */
  asked: number;
  /** No reply within the caller's timeout. */
  unanswered: number;
  /** The agent spoke until the end of the caller's utterance: no latency can be measured. */
  talkedOver: number;
  /** The agent had finished before the interruption. */
  finishedFirst: number;
}

const frameMs = 20;
const patienceMs = 8_000;
/** Silence of the agent after which the caller speaks again: longer than the pauses inside a reply. */
const replyOverMs = 1_000;
/** The caller interrupts every third reply, this long after it began. */
const interruptsEach = 3;
const interruptsAfterMs = 1_300;
/** Silence that shows that an interruption took effect. */
const stoppedMs = 300;

/** The person on one line: asks, listens until the reply is over, pauses, asks again, and interrupts each third reply. */
export class Caller {
  private doing: 'pausing' | 'speaking' | 'waiting' | 'listening' = 'pausing';
  private until: number;
  private frames: Frames = [];
  private next = 0;
  private turns: number;
  private interrupts = false;
  /** When the threshold of an interruption is reached. */
  private stopDueAt: number | undefined;
  private readonly line: VirtualLine;
  private readonly words: CallerWords;
  private readonly findings: Findings;

  constructor(line: VirtualLine, words: CallerWords, findings: Findings, serial: number, now: number) {
    this.line = line;
    this.words = words;
    this.findings = findings;
    this.turns = serial;
    this.until = now + 500 + ((serial * 137) % 1_000);
  }

  /** The frame to send now; undefined for silence. It contains the preceding 20 ms. */
  frame(now: number): string | undefined {
    this.judgeStop(now);
    if (this.doing === 'pausing' && now >= this.until) this.speak(this.words.questions, false, now);
    else if (this.doing === 'waiting') this.wait(now);
    else if (this.doing === 'listening') this.listen(now);
    if (this.doing !== 'speaking') return undefined;
    const frame = this.frames[this.next];
    this.next += 1;
    if (this.next < this.frames.length) return frame;
    this.doing = 'waiting';
    this.until = now + patienceMs;
    this.line.listen();
    if (now - this.line.lastSpeechAt > frameMs) return frame;
    this.findings.talkedOver += 1;
    this.doing = 'listening';
    return frame;
  }

  private speak(from: readonly Frames[], interrupts: boolean, now: number): void {
    this.turns += 1;
    this.frames = from[this.turns % from.length] ?? [];
    this.next = 0;
    this.doing = 'speaking';
    this.interrupts = interrupts;
    this.stopDueAt = interrupts ? now - frameMs + interruptionMs : undefined;
    this.findings.asked += 1;
  }

  private wait(now: number): void {
    const { firstSpeechAt } = this.line;
    if (firstSpeechAt !== undefined) {
      this.findings.responseMs.push(firstSpeechAt - (this.until - patienceMs));
      this.doing = 'listening';
    } else if (now >= this.until) {
      this.findings.unanswered += 1;
      this.pause(now);
    }
  }

  private listen(now: number): void {
    const { firstSpeechAt, lastSpeechAt } = this.line;
    const isInterrupted = this.turns % interruptsEach === 0 && !this.interrupts;
    if (isInterrupted && firstSpeechAt !== undefined && now - firstSpeechAt > interruptsAfterMs)
      this.speak(this.words.interruptions, true, now);
    else if (now - lastSpeechAt > replyOverMs) this.pause(now);
  }

  private judgeStop(now: number): void {
    const { stopDueAt, line } = this;
    if (stopDueAt === undefined || now < stopDueAt || now - line.lastSpeechAt < stoppedMs) return;
    this.stopDueAt = undefined;
    // Silent well before the interruption: the reply was over.
    if (line.lastSpeechAt < stopDueAt - 200) this.findings.finishedFirst += 1;
    else this.findings.stopMs.push(line.lastSpeechAt - stopDueAt);
  }

  private pause(now: number): void {
    this.doing = 'pausing';
    this.interrupts = false;
    this.until = now + 200 + ((this.turns * 91) % 600);
  }
}
