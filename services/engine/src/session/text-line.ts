import { calleeScript, type CalleeAct } from '../lines/callee-scripts';
import type { CallClock } from './call-clock';
import type { CallLine, CallLineListener, LineWatermarks, UtteranceStart } from './call-line';

/** Simulated latencies in milliseconds of call time: from the answer to the first audio, of recognition, and of synthesis. */
const delays = { media: 200, transcript: 120, voice: 150 } as const;
/** Simulated speaking rate. */
const msPerCharacter = 55;
const shortestMs = 300;

/** The simulated duration of a text in milliseconds, on a line without audio. */
export const spokenMs = (text: string): number => Math.max(shortestMs, text.length * msPerCharacter);

/** Text that the agent is saying, or will say next. */
interface Saying {
  readonly utterance: number;
  text: string;
  held: boolean;
  finished: boolean;
  /** The voice has produced its first audio. */
  sounds: boolean;
  /** When playback began. */
  since: number | undefined;
  takeBack: (() => void) | undefined;
}

/**
 * A line without audio, for calls of the simulator. The dialed number selects the script of the callee, whose words arrive as text. The agent's speech lasts
 * as long as its text would take to say. There is no recognition and no synthesis.
 */
export class TextLine implements CallLine {
  readonly hasSound = false;
  readonly cannot = new Set(['transfer'] as const);
  private listener: CallLineListener | undefined;
  private over = false;
  private place = 0;
  private segment = 0;
  private saying: Saying | undefined;
  private takeBackScript: (() => void) | undefined;
  /** Called as soon as the agent is silent: the next action of the script. */
  private onSilence: (() => void) | undefined;
  /** Whether the agent has spoken since the callee began to listen. */
  private heardAgent = false;
  private script: readonly CalleeAct[];

  /**
   * @param callee the dialed number, or the callee's script
   * @param onAgent receives the agent's text
   */
  constructor(
    callee: string | readonly CalleeAct[],
    private readonly clock: CallClock,
    private readonly onAgent?: (text: string) => void,
  ) {
    this.script = typeof callee === 'string' ? calleeScript(callee) : callee;
  }

  open(listener: CallLineListener): void {
    this.listener = listener;
    this.next();
  }

  watermarks(): LineWatermarks {
    return {};
  }

  start({ utterance, held }: UtteranceStart): void {
    this.saying = {
      utterance,
      held,
      text: '',
      finished: false,
      sounds: false,
      since: undefined,
      takeBack: undefined,
    };
  }

  speak(utterance: number, text: string): void {
    const { saying } = this;
    if (saying?.utterance !== utterance) return;
    const begins = saying.text === '';
    saying.text += text;
    this.onAgent?.(text);
    if (begins) saying.takeBack = this.clock.after(delays.voice, () => this.sounds(saying));
  }

  finish(utterance: number): void {
    const { saying } = this;
    if (saying?.utterance !== utterance) return;
    saying.finished = true;
    if (saying.sounds) this.whole(saying);
  }

  release(utterance: number): void {
    const { saying } = this;
    if (saying?.utterance !== utterance) return;
    saying.held = false;
    if (saying.sounds) this.play(saying);
  }

  hold(utterance: number): void {
    const { saying } = this;
    if (saying?.utterance === utterance && saying.since === undefined) saying.held = true;
  }

  stop(utterance: number): void {
    const { saying } = this;
    if (saying?.utterance !== utterance) return;
    saying.takeBack?.();
    if (saying.since !== undefined) {
      const ms = Math.min(this.clock.now() - saying.since, spokenMs(saying.text));
      const offset = Math.floor((saying.text.length * ms) / spokenMs(saying.text));
      this.listener?.input({ type: 'played', utterance, offset, ms });
    }
    this.saying = undefined;
    if (saying.since !== undefined) this.silence();
  }

  /** The scripted callee ignores the second track, and its menus accept any key. */
  sayAside(): void {}

  typingSound(): void {}

  stopAside(): void {}

  press(): void {}

  /** The final transcripts of this line arrive without a request. */
  finalizeTranscript(): void {}

  reopenTranscriber(): void {
    this.listener?.input({ type: 'transcriber_opened' });
  }

  setLanguage(): void {}

  setMuted(): void {}

  setRecording(): void {}

  hangUp(): void {
    this.stopAll();
  }

  end(): void {
    this.stopAll();
    this.listener = undefined;
  }

  handedOver(): Promise<void> {
    return Promise.resolve();
  }

  recorded(): Promise<void> {
    return Promise.resolve();
  }

  private sounds(saying: Saying): void {
    saying.sounds = true;
    saying.takeBack = undefined;
    this.listener?.input({ type: 'speech_audio', utterance: saying.utterance });
    if (this.saying === saying && saying.finished) this.whole(saying);
    if (this.saying === saying && !saying.held) this.play(saying);
  }

  private whole({ utterance, text }: Saying): void {
    this.listener?.input({ type: 'speech_done', utterance, durationMs: spokenMs(text) });
    const { saying } = this;
    if (saying?.utterance === utterance && saying.since !== undefined) this.awaitEnd(saying, saying.since);
  }

  private play(saying: Saying): void {
    if (saying.since !== undefined) return;
    this.heardAgent = true;
    saying.since = this.clock.now();
    if (saying.finished) this.awaitEnd(saying, saying.since);
  }

  private awaitEnd(saying: Saying, since: number): void {
    saying.takeBack?.();
    saying.takeBack = this.clock.after(since + spokenMs(saying.text) - this.clock.now(), () => {
      if (this.saying !== saying) return;
      this.saying = undefined;
      this.listener?.input({ type: 'playout_finished', utterance: saying.utterance });
      this.silence();
    });
  }

  private get agentSpeaks(): boolean {
    return this.saying?.since !== undefined;
  }

  private silence(): void {
    if (this.agentSpeaks) return;
    const run = this.onSilence;
    this.onSilence = undefined;
    run?.();
  }

  /** Performs the next action. Every action calls this again when it has ended. */
  private readonly next = (): void => {
    const act = this.script[this.place];
    this.place += 1;
    if (this.over || act === undefined) return;
    this.perform(act);
  };

  private later(ms: number, run: () => void): void {
    this.takeBackScript = this.clock.after(ms, () => {
      if (!this.over) run();
    });
  }

  private perform(act: CalleeAct): void {
    switch (act.act) {
      case 'wait':
        return this.later(act.ms, this.next);
      case 'answer':
        this.listener?.input({ type: 'answered' });
        return this.later(delays.media, () => {
          this.listener?.input({ type: 'media_started', received: null });
          this.next();
        });
      case 'fail':
        return this.last({ type: 'failed', reason: act.reason });
      case 'say':
        return act.waitsForTurn ? this.whenSilent(() => this.say(act.text)) : this.say(act.text);
      case 'listen':
        return this.listen(act.mostMs);
      case 'ask':
        return this.ask(act.next);
      case 'beep':
        this.listener?.input({ type: 'beep' });
        return this.next();
      case 'music':
        this.listener?.input({ type: 'music_started' });
        return this.later(act.ms, () => {
          this.listener?.input({ type: 'music_ended' });
          this.next();
        });
      case 'hang_up':
        return this.last({ type: 'hung_up' });
    }
  }

  /** Appends the actions that `next` returns. A callee without further actions hangs up. */
  private ask(next: () => Promise<readonly CalleeAct[]>): void {
    const release = this.clock.hold();
    next()
      .catch((): readonly CalleeAct[] => [{ act: 'hang_up' }])
      .then((acts) => {
        this.script = acts;
        this.place = 0;
        release();
        this.next();
      })
      .catch(() => this.last({ type: 'hung_up' }));
  }

  private last(input: Parameters<CallLineListener['input']>[0]): void {
    this.stopAll();
    this.listener?.input(input);
  }

  private stopAll(): void {
    this.over = true;
    this.saying?.takeBack?.();
    this.takeBackScript?.();
  }

  private say(text: string): void {
    this.heardAgent = false;
    this.segment += 1;
    const { segment } = this;
    this.listener?.input({ type: 'speech_started', since: this.clock.now() });
    this.later(spokenMs(text), () => {
      this.listener?.input({ type: 'speech_ended', lastVoice: this.clock.now() });
      // The script continues while recognition is simulated.
      this.clock.after(delays.transcript, () => this.listener?.input({ type: 'final', segment, text }));
      this.next();
    });
  }

  private whenSilent(run: () => void): void {
    if (!this.agentSpeaks) run();
    else this.onSilence = () => !this.over && run();
  }

  private listen(mostMs: number): void {
    if (this.heardAgent && !this.agentSpeaks) return this.next();
    const goOn = (): void => {
      this.takeBackScript?.();
      this.next();
    };
    this.onSilence = goOn;
    this.later(mostMs, () => {
      // The agent is still speaking, so the callee waits: it does not hang up in the middle of a sentence.
      if (this.agentSpeaks) return;
      this.onSilence = undefined;
      this.next();
    });
  }
}
