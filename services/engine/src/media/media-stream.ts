import type { Line, LineEnd, LineListener, LineLoss } from '../lines/line';
import { BeepDetector, type Tone } from './beep';
import { earliestEchoMs, echoMemoryMs, EchoGate } from './echo-gate';
import { MusicDetector, type MusicChange } from './music';
import { Playout } from './playout';
import { liveBytes, Recorder, type OnPart } from './recorder';
import { SpeechDetector, startsAt, type SpeechChange } from './speech-detector';
import { DigitDetector, DigitMerger } from './tones';
import { VoiceInput } from './voice-activity';

/** What one call hears from its line, in order. Speech times are milliseconds of received audio. */
export interface MediaListener {
  audio(samples: Int16Array): void;
  speech(change: SpeechChange): void;
  music(change: MusicChange): void;
  /** A single tone ended. */
  tone(tone: Tone): void;
  /** Keys, each reported once, whether by the line or detected in the audio. */
  pressed(digits: string): void;
  typed(text: string): void;
  /** The number of samples of this utterance played so far, from its beginning. */
  heard(utterance: string, samples: number): void;
  /** The line goes on, but without a part of what it carries. */
  lost?(what: LineLoss): void;
  /** Another window was analyzed. */
  judged(): void;
  ended(end: LineEnd): void;
}

export interface MediaStreamOptions {
  readonly now: () => number;
  /** The destination of the recording's parts; undefined: the call is not recorded. */
  readonly onPart?: OnPart;
}

/** Windows below this probability are treated as without voice by every rule. */
const leastVoice = 0.35;

/** The audio of one call, between its line and its consumers. Stepped by a MediaLoop. */
export class MediaStream implements LineListener {
  readonly playout: Playout;
  readonly recorder: Recorder | undefined;
  readonly voice: VoiceInput;
  /** The number of analyzed windows of 32 ms, of those with voice, and of those with the agent's own echo. */
  readonly windows = { judged: 0, voice: 0, echo: 0 };
  /** Milliseconds of audio received. */
  receivedMs = 0;
  private over = false;
  /** The audio for clients that listen in; undefined if there are none. */
  private live: Recorder | undefined;
  private isPaused = false;
  private readonly detector = new SpeechDetector();
  private readonly music = new MusicDetector();
  private readonly digits: DigitDetector;
  private readonly merger = new DigitMerger();
  private readonly beep: BeepDetector;
  private readonly echo: EchoGate;

  constructor(
    readonly line: Line,
    private readonly listener: MediaListener,
    private readonly options: MediaStreamOptions,
  ) {
    const { sampleRate } = line;
    if (options.onPart !== undefined) this.recorder = new Recorder(sampleRate, options.onPart);
    this.digits = new DigitDetector(sampleRate);
    this.beep = new BeepDetector(sampleRate);
    this.echo = new EchoGate(sampleRate);
    this.voice = new VoiceInput(sampleRate, (probability, samples) => this.judged(probability, samples));
    this.playout = new Playout(line, {
      heard: (utterance, samples) => listener.heard(utterance, samples),
      played: (samples) => {
        this.recorder?.played(samples);
        this.live?.played(samples);
      },
      marksLost: () => this.lost('marks_lost'),
    });
  }

  get isOver(): boolean {
    return this.over;
  }

  /** Whether the caller is speaking, according to the audio analyzed so far. */
  get callerSpeaks(): boolean {
    return this.detector.speaking;
  }

  /** The time of the last voice in the current speech, in milliseconds of received audio. */
  get lastVoiceMs(): number {
    return this.detector.lastVoice;
  }

  /** The position up to which audio was analyzed, in milliseconds of received audio. */
  get judgedMs(): number {
    return this.detector.position;
  }

  /** While paused, the recording and clients that listen in get silence. */
  pauseRecording(paused: boolean): void {
    this.isPaused = paused;
    for (const one of [this.recorder, this.live]) {
      if (paused) one?.pause();
      else one?.resume();
    }
  }

  /** Delivers the audio of both sides in the format of the recording, 200 ms at a time. Called with undefined, it stops. */
  listenIn(take: ((sound: Buffer) => void) | undefined): void {
    this.live = take && new Recorder(this.line.sampleRate, (_, sound) => take(sound), liveBytes);
    if (this.isPaused) this.live?.pause();
  }

  step(now: number): void {
    if (!this.over) this.playout.fill(now);
  }

  audio(samples: Int16Array): void {
    if (this.over) return;
    this.receivedMs += (samples.length * 1000) / this.line.sampleRate;
    this.voice.append(samples);
    this.recorder?.heard(samples);
    this.live?.heard(samples);
    this.listener.audio(samples);
    this.press(this.digits.take(samples), 'audio');
    const tone = this.beep.take(samples);
    if (tone !== undefined) this.listener.tone(tone);
  }

  marked(name: string): void {
    if (!this.over) this.playout.marked(name, this.options.now());
  }

  pressed(digits: string): void {
    this.press(digits, 'line');
  }

  typed(text: string): void {
    if (!this.over) this.listener.typed(text);
  }

  lost(what: LineLoss): void {
    if (!this.over) this.listener.lost?.(what);
  }

  ended(end: LineEnd): void {
    if (this.over) return;
    this.over = true;
    this.recorder?.end();
    this.live = undefined;
    this.listener.ended(end);
  }

  private press(digits: string, source: 'line' | 'audio'): void {
    if (digits === '' || this.over) return;
    const fresh = this.merger.take(digits, source, this.options.now());
    if (fresh !== '') this.listener.pressed(fresh);
  }

  private judged(probability: number, samples: Float32Array): void {
    if (this.over) return;
    this.echo.append(samples);
    const isEcho = probability >= leastVoice && this.isEcho();
    this.windows.judged += 1;
    if (isEcho) this.windows.echo += 1;
    else if (probability >= startsAt) this.windows.voice += 1;
    const change = this.detector.take(isEcho ? 0 : probability);
    if (change !== undefined) this.listener.speech(change);
    const music = this.music.take(probability, samples);
    if (music !== undefined) this.listener.music(music);
    this.listener.judged();
  }

  private isEcho(): boolean {
    const now = this.options.now();
    if (!this.playout.soundedWithin(echoMemoryMs, now)) return false;
    const { reference } = this.echo;
    // The reference ends in the future by as much as echo can be early.
    this.playout.audibleUntil(now - earliestEchoMs, reference);
    return this.echo.isEcho(reference);
  }
}
