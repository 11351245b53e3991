import type { WebSocket } from 'ws';
import { Conversation, type ConversationCounts } from './conversation.mts';
import { Playout } from './playout.mts';
import { Recorder } from './recorder.mts';
import { ReplyAttempt, type ModelAddress } from './reply-attempt.mts';
import { SpeechDetector } from './speech-detector.mts';
import { SynthesisStream } from './synthesis-stream.mts';
import { TwilioLine } from './twilio-line.mts';
import { Uplink } from './uplink.mts';
import { VoiceInput, type VoiceActivityMode } from './voice-activity.mts';

/** The parts of a call that can be switched off to measure their cost. */
export interface Parts {
  readonly voiceActivity: VoiceActivityMode;
  readonly uplink: 'tls' | 'plain' | 'none';
  readonly uplinkMs: number;
  readonly recorder: boolean;
  /** Whether the second track plays. */
  readonly bed: boolean;
}

export interface CallSurroundings {
  readonly parts: Parts;
  readonly bed: Int16Array;
  readonly ca: string;
  readonly uplinks: { readonly tls: string; readonly plain: string };
  readonly synthesisUrl: string;
  readonly model: ModelAddress;
  /** The prefix of the file names of this call's recording. */
  readonly recording: string;
  readonly counts: ConversationCounts;
  onStarted(call: Call): void;
  onStopped(call: Call): void;
}

/** One call: its line, its connections to the providers, and the data between them. */
export class Call {
  readonly voice = new VoiceInput((probability) => this.conversation.judged(probability));
  readonly playout: Playout;
  readonly conversation: Conversation;
  readonly line: TwilioLine;
  callSid = '';
  /** The number of samples received from the caller. */
  received = 0;
  private readonly around: CallSurroundings;
  private readonly recorder: Recorder;
  private readonly synthesis: SynthesisStream;
  private uplink: Uplink | undefined;
  private parts: Parts;

  constructor(socket: WebSocket, around: CallSurroundings) {
    this.around = around;
    this.parts = around.parts;
    this.recorder = new Recorder(around.recording);
    this.synthesis = new SynthesisStream(around.synthesisUrl, around.ca);
    this.line = new TwilioLine(socket, {
      started: (callSid) => {
        this.callSid = callSid;
        around.onStarted(this);
      },
      heard: (audio) => this.heard(audio),
      marked: (name) => this.playout.marked(name, performance.now()),
      pressed: () => undefined,
      stopped: () => {
        this.uplink?.close();
        this.synthesis.close();
        this.conversation.end(undefined, this.received);
        around.onStopped(this);
      },
    });
    this.playout = new Playout(this.line, (audio) => {
      if (this.parts.recorder) this.recorder.played(audio);
    });
    this.conversation = new Conversation(
      new SpeechDetector(),
      this.playout,
      (messages, onAudio) => new ReplyAttempt(around.model, this.synthesis, messages, onAudio),
      around.counts,
    );
    this.use(around.parts, true);
  }

  use(parts: Parts, isNew = false): void {
    if (isNew || parts.uplink !== this.parts.uplink) {
      this.uplink?.close();
      this.uplink = parts.uplink === 'none' ? undefined : this.newUplink(this.around.uplinks[parts.uplink]);
    }
    this.parts = parts;
    this.playout.bed = parts.bed ? this.around.bed : undefined;
  }

  /** Called after the input was analyzed. */
  decide(): void {
    this.conversation.step(performance.now(), this.received, this.uplink !== undefined);
  }

  /** Writes the rest of the recording. */
  end(): Promise<void> {
    return this.recorder.end();
  }

  private newUplink(url: string): Uplink {
    return new Uplink(
      { url, ca: this.around.ca, onTranscript: (transcript) => this.conversation.transcribed(transcript) },
      () => this.parts.uplinkMs * 8,
    );
  }

  private heard(audio: Buffer): void {
    this.received += audio.length;
    this.voice.append(audio);
    this.uplink?.send(audio);
    if (this.parts.recorder) this.recorder.heard(audio);
  }
}
