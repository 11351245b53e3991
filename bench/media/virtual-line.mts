import { loudnessOf } from './mulaw.mts';

/** Audio above this level is the agent's speech. The background is below it. */
const speechLevel = 400;
const perMs = 8;

interface Queued {
  /** The time at which its first sample plays, in ms of this process's clock. */
  readonly at: number;
  readonly audio?: Buffer;
  readonly mark?: string;
}

export interface Gap {
  readonly ms: number;
  /** Whether the agent cleared earlier audio before its end. */
  readonly afterClear: boolean;
}

/** The caller's side of a line: a queue of audio that plays at 8 kHz from its arrival on. All measurements of the agent are made here. */
export class VirtualLine {
  /** Gaps in the audio after its beginning. */
  gaps: Gap[] = [];
  /** The length of the queue in ms each time more audio arrived. */
  leadMs: number[] = [];
  /** When the agent's first and last audio since `listen` was played. */
  firstSpeechAt: number | undefined;
  lastSpeechAt = -Infinity;
  private readonly onMark: (name: string) => void;
  private queue: Queued[] = [];
  private endsAt: number | undefined;
  private wasCleared = false;

  constructor(onMark: (name: string) => void) {
    this.onMark = onMark;
  }

  /** Starts to listen for the next first sound. */
  listen(): void {
    this.firstSpeechAt = undefined;
  }

  receive(audio: Buffer, now: number): void {
    const { endsAt } = this;
    if (endsAt !== undefined && now > endsAt) this.gaps.push({ ms: now - endsAt, afterClear: this.wasCleared });
    else if (endsAt !== undefined) this.leadMs.push(endsAt - now);
    this.wasCleared = false;
    const at = Math.max(now, endsAt ?? now);
    this.queue.push({ at, audio });
    this.endsAt = at + audio.length / perMs;
  }

  mark(name: string, now: number): void {
    this.queue.push({ at: this.endsAt ?? now, mark: name });
  }

  /** Drops audio that was not played; its marks return immediately. */
  clear(now: number): void {
    this.play(now);
    const dropped = this.queue;
    this.queue = [];
    for (const { at, audio, mark } of dropped) {
      if (mark !== undefined) this.onMark(mark);
      else if (audio !== undefined && at < now) this.hear(audio.subarray(0, Math.ceil((now - at) * perMs)), at);
    }
    if (this.endsAt === undefined || this.endsAt <= now) return;
    this.endsAt = now;
    this.wasCleared = true;
  }

  /** Plays everything that is due. */
  play(now: number): void {
    for (let [next] = this.queue; next !== undefined; [next] = this.queue) {
      const { at, audio, mark } = next;
      if (at + (audio?.length ?? 0) / perMs > now) return;
      this.queue.shift();
      if (mark !== undefined) this.onMark(mark);
      if (audio !== undefined) this.hear(audio, at);
    }
  }

  private hear(audio: Buffer, at: number): void {
    for (let n = 0; n < audio.length; n += 1) {
      if ((loudnessOf[audio[n] as number] as number) <= speechLevel) continue;
      this.lastSpeechAt = at + n / perMs;
      this.firstSpeechAt ??= this.lastSpeechAt;
    }
  }
}
