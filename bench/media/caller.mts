import { interruptionMs } from './delays.mts';
import type { VirtualLine } from './virtual-line.mts';

/** An utterance as frames of 20 ms in base64. */
export type Frames = readonly string[];

export interface CallerWords {
  readonly questions: readonly Frames[];
  readonly interruptions: readonly Frames[];
}

/** The measurements of one carrier, over all of its calls. */
export interface Findings {
  /** Milliseconds from the caller's last audio to the agent's first audio. */
  readonly responseMs: number[];
  /** Milliseconds from the time at which the caller had spoken long enough to interrupt the agent until the agent was silent. */
  readonly stopMs: number[];
  /** The number of utterances, including interruptions. */
  asked: number;
  /** The number of utterances without a reply within the caller's timeout. */
  unanswered: number;
  /** The number of utterances during which the agent still spoke at their end, so that no latency can be measured. */
  talkedOver: number;
  /** The number of interruptions before which the agent had already finished. */
  finishedFirst: number;
}

const frameMs = 20;
const patienceMs = 8_000;
/** Silence of the agent after which the caller speaks again. It is longer than the pauses within a reply. */
const replyOverMs = 1_000;
/** The caller interrupts every third reply, this long after its beginning. */
const interruptsEach = 3;
const interruptsAfterMs = 1_300;
/** Duration of silence after which an interruption is considered effective. */
const stoppedMs = 300;

/** The person on one line: asks a question, listens until the reply is over, pauses and asks again; interrupts every third reply. */
export class Caller {
  private doing: 'pausing' | 'speaking' | 'waiting' | 'listening' = 'pausing';
  private until: number;
  private frames: Frames = [];
  private next = 0;
  private turns: number;
  private interrupts = false;
  /** The time at which the caller has spoken long enough for an interruption. */
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

  /** The frame that has to be sent now, with the audio of the preceding 20 ms; undefined for silence. */
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
    // The agent was silent well before the interruption, so its reply was already over.
    if (line.lastSpeechAt < stopDueAt - 200) this.findings.finishedFirst += 1;
    else this.findings.stopMs.push(line.lastSpeechAt - stopDueAt);
  }

  private pause(now: number): void {
    this.doing = 'pausing';
    this.interrupts = false;
    this.until = now + 200 + ((this.turns * 91) % 600);
  }
}
