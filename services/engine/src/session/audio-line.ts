import type { Logger } from '@parley/runtime';
import type { CallInput } from '../core/inputs';
import type { Tone } from '../media/beep';
import type { ConnectedLine } from '../lines/connected-line';
import { lossOf, type Shortfall } from '../core/problems';
import type { LineEnd, LineLoss } from '../lines/line';
import type { MediaListener } from '../media/media-stream';
import { MediaStream } from '../media/media-stream';
import type { MediaLoop } from '../media/media-loop';
import type { MusicChange } from '../media/music';
import type { SpeechChange } from '../media/speech-detector';
import { keyTones } from '../media/key-tones';
import { typing } from '../media/typing';
import type { CallClock } from './call-clock';
import type { CallLine, CallLineListener, LineWatermarks, UtteranceStart } from './call-line';
import { CallTranscriber, type CallTranscriberOptions } from './call-transcriber';
import { MediaTime } from './media-time';
import type { RecordingUpload } from './recording-upload';
import { VoiceOutput, type VoiceOutputOptions } from './voice-output';

export interface AudioLineOptions {
  readonly line: ConnectedLine;
  readonly loop: Pick<MediaLoop, 'add'>;
  readonly clock: CallClock;
  readonly transcription: Omit<CallTranscriberOptions, 'sampleRate' | 'onInput'>;
  readonly voice: Pick<VoiceOutputOptions, 'componentFor'>;
  /** Undefined: the call is not recorded. */
  readonly recording: RecordingUpload | undefined;
  /** The part of the call that the recording lacks when the line is opened, because another process conducted the call then. */
  readonly unrecordedMs?: () => number;
  /** Background sound, played in a loop under everything; undefined: silence. */
  readonly bed: Int16Array | undefined;
  /** Called once, at the end. */
  readonly onUnderruns?: ((count: number) => void) | undefined;
  /** Called once for each kind of loss. */
  readonly onLoss?: ((problem: Shortfall) => void) | undefined;
  /** Receives the agent's text. */
  readonly onAgent?: ((text: string) => void) | undefined;
  readonly log: Logger;
  /** Milliseconds of a monotonic clock, used by the playout. Default: that of the process. */
  readonly now?: () => number;
}

/** A line that has sent no audio for this long is padded with silence. */
const silentAfterMs = 1_000;
const silenceEveryMs = 200;
const longestFillMs = 2_000;

/** A call with audio: the line's input goes to the transcriber and the detectors, and the agent's speech to its playout. */
export class AudioLine implements CallLine, MediaListener {
  readonly hasSound = true;
  readonly cannot: CallLine['cannot'];
  private readonly stream: MediaStream;
  private readonly transcription: CallTranscriber;
  private readonly voice: VoiceOutput;
  private readonly time = new MediaTime();
  private readonly now: () => number;
  private listener: CallLineListener | undefined;
  private silence: NodeJS.Timeout | undefined;
  /** The time up to which audio was received or padded, on the playout's clock. */
  private soundUntil = 0;
  /** The same in call time. */
  private arrived = 0;
  private filling = false;
  private isLetGo = false;
  private readonly losses = new Set<LineLoss>();
  private filled: Int16Array | undefined;

  constructor(private readonly options: AudioLineOptions) {
    const { line, recording, log } = options;
    const { sampleRate } = line;
    this.cannot = line.cannot ?? new Set();
    this.now = options.now ?? (() => performance.now());
    const onPart = recording === undefined ? {} : { onPart: recording.take };
    this.stream = new MediaStream(line, this, { now: this.now, ...onPart });
    const onInput = (input: CallInput): void => this.listener?.input(input);
    this.transcription = new CallTranscriber({ ...options.transcription, sampleRate, onInput });
    const { playout } = this.stream;
    if (options.bed !== undefined) playout.bed = options.bed;
    this.voice = new VoiceOutput({ ...options.voice, sampleRate, playout, now: this.now, onInput, log });
  }

  open(listener: CallLineListener): void {
    const { line, loop, clock } = this.options;
    this.listener = listener;
    this.transcription.open();
    listener.input({ type: 'answered' });
    this.arrived = clock.now();
    this.time.arrived(0, this.arrived);
    listener.input({ type: 'media_started', received: clock.now() });
    const { unrecordedMs } = this.options;
    if (unrecordedMs !== undefined) this.stream.recorder?.skip(unrecordedMs());
    loop.add(this.stream);
    this.soundUntil = this.now();
    // Runs after pending input was read: in a process that was suspended, timers fire before input is read.
    if (line.fallsSilent === true)
      this.silence = setInterval(() => setImmediate(() => this.fillSilence()), silenceEveryMs);
    line.listen(this.stream);
  }

  watermarks(): LineWatermarks {
    const received = this.time.watermark(this.stream.judgedMs);
    const { arrived } = this;
    if (!this.stream.callerSpeaks) return { received, arrived };
    return { received, arrived, voiced: Math.min(received, this.time.at(this.stream.lastVoiceMs)) };
  }

  start(utterance: UtteranceStart): void {
    this.voice.start(utterance);
  }

  speak(utterance: number, text: string): void {
    this.options.onAgent?.(text);
    this.voice.speak(utterance, text);
  }

  finish(utterance: number): void {
    this.voice.finish(utterance);
  }

  release(utterance: number): void {
    this.voice.release(utterance);
  }

  hold(utterance: number): void {
    this.voice.hold(utterance);
  }

  stop(utterance: number): void {
    this.voice.stop(utterance);
  }

  sayAside(text: string, language: string): void {
    this.voice.sayAside(text, language);
  }

  typingSound(): void {
    this.voice.sound(typing(this.options.line.sampleRate));
  }

  stopAside(): void {
    this.voice.stopAside();
  }

  press(digits: string): void {
    const { line, log } = this.options;
    const asTones = (): void => this.voice.sound(keyTones(digits, line.sampleRate));
    if (line.press === undefined) return asTones();
    line.press(digits).catch((error: unknown) => {
      log.warn({ err: error }, 'DTMF digits could not be sent as signals; they are played as tones');
      asTones();
    });
  }

  finalizeTranscript(): void {
    this.transcription.finalize();
  }

  reopenTranscriber(): void {
    this.transcription.reopen();
  }

  setLanguage(language: string): void {
    this.transcription.setLanguage(language);
  }

  setMuted(muted: boolean): void {
    this.stream.playout.muted = muted;
  }

  setRecording(paused: boolean): void {
    this.stream.pauseRecording(paused);
  }

  listenIn(take: ((sound: Buffer) => void) | undefined): void {
    this.stream.listenIn(take);
  }

  hangUp(): void {
    this.letGo();
    // If the carrier requests further instructions when the line is closed, `end` closes it, after the platform has received the report.
    if (this.options.line.reconnects !== true) this.options.line.hangUp();
  }

  end(reason: string, detail?: string): void {
    this.letGo();
    if (this.listener !== undefined) this.options.onUnderruns?.(this.stream.playout.ranDry);
    this.listener = undefined;
    this.options.line.finish(reason, detail ?? null);
  }

  handedOver(): Promise<void> {
    this.letGo();
    this.stream.recorder?.end();
    return this.options.recording?.handedIn() ?? Promise.resolve();
  }

  recorded(): Promise<void> {
    this.stream.recorder?.end();
    return this.options.recording?.finish(this.stream.recorder?.durationMs ?? 0) ?? Promise.resolve();
  }

  // Events of the line.

  audio(samples: Int16Array): void {
    this.soundUntil = this.now();
    if (samples !== this.filled) this.filling = false;
    this.arrived = this.options.clock.now();
    this.time.arrived(this.stream.receivedMs, this.arrived);
    this.transcription.write(samples);
  }

  speech(change: SpeechChange): void {
    this.listener?.input(
      change.type === 'speech_started'
        ? { type: 'speech_started', since: this.time.at(change.since) }
        : { type: 'speech_ended', lastVoice: this.time.at(change.lastVoice) },
    );
  }

  music(change: MusicChange): void {
    this.listener?.input({ type: change });
  }

  tone(tone: Tone): void {
    this.listener?.input(tone === 'beep' ? { type: 'beep' } : { type: 'tone', tone });
  }

  pressed(digits: string): void {
    this.listener?.input({ type: 'pressed', digits });
  }

  typed(text: string): void {
    this.listener?.input({ type: 'typed', text });
  }

  heard(utterance: string, samples: number): void {
    this.voice.heard(utterance, samples);
  }

  judged(): void {
    this.listener?.progressed();
  }

  lost(what: LineLoss): void {
    if (this.losses.has(what)) return;
    this.losses.add(what);
    this.options.onLoss?.(lossOf(what));
  }

  ended(end: LineEnd): void {
    this.letGo();
    if (end !== 'hung_up_there' && end !== 'hung_up_here') this.options.log.warn({ end }, 'the line was closed');
    if (end === 'hung_up_there') this.listener?.input({ type: 'hung_up' });
    else if (end === 'lost' && this.options.line.reconnects === true)
      this.listener?.input({ type: 'hand_over', atOnce: true });
    else if (end !== 'hung_up_here')
      this.listener?.input({
        ...{ type: 'failed', reason: 'carrier_failure' },
        ...(end === 'too_much_unread' && { detail: end }),
      });
  }

  /** Passes silence to the detectors, the transcriber and the recording, as if there were a microphone in a quiet room. */
  private fillSilence(): void {
    if (this.isLetGo) return;
    const missingMs = this.now() - this.soundUntil;
    if (missingMs < (this.filling ? silenceEveryMs : silentAfterMs)) return;
    this.filling = true;
    const ms = Math.min(Math.floor(missingMs), longestFillMs);
    this.filled = new Int16Array(ms * (this.options.line.sampleRate / 1000));
    this.stream.audio(this.filled);
  }

  private letGo(): void {
    this.isLetGo = true;
    clearInterval(this.silence);
    this.transcription.close();
    this.voice.end();
  }
}
