import {
  readEffectiveTuning,
  type EndedReason,
  type ReasonDetail,
  type WorkerCredentials,
  type WorkerJobEvent,
} from '@parley/contract';
import { Resampler } from '@parley/speech';
import type { CallOnLine } from '../runners/runner';
import { notJudged } from '../core/answer-detection';
import { lossOf, notAnnounced } from '../core/problems';
import type { ConnectedLine } from '../lines/connected-line';
import type { LineEnd, LineLoss } from '../lines/line';
import { environmentBed } from '../media/environment';
import { keyTones } from '../media/key-tones';
import type { MediaLoop } from '../media/media-loop';
import { MediaStream, type MediaListener } from '../media/media-stream';
import { muLawBytes } from '../media/mu-law';
import type { VettedNetwork } from '../providers/vetted';
import { configurationOf } from '../session/configuration';
import { LiveSound } from '../session/live-sound';
import { RecordingUpload } from '../session/recording-upload';
import { openCredentials } from '../tools';
import { CallProblems } from '../worker/call-problems';
import { JobReporter } from '../worker/job-reporter';
import { performed, refused, type CallCommand, type CommandResult, type LiveCall } from '../worker/live-call';
import { persist } from '../worker/persist';
import { failureOf } from '../worker/platform';
import { AudioConnection, audioBounds, type AudioBounds } from './audio-connection';
import type { ServerMessage } from './audio-messages';
import { AudioPlayback } from './audio-playback';

export interface AudioCallEnvironment {
  readonly loop: Pick<MediaLoop, 'add'>;
  readonly network: Pick<VettedNetwork, 'accountOf'>;
  readonly clock: { now(): Date };
  /** Counts playout underruns of the line. */
  readonly onUnderruns?: (count: number) => void;
  readonly bounds?: AudioBounds;
}

/** The timeout for loading the agent's address and secrets. */
const credentialsMs = 10_000;
const callSampleRate = 8_000;

/** A call of an agent in external_audio mode: the line's audio is sent to the customer's server, and the server's audio to the line. */
export const runExternalAudioCall = (environment: AudioCallEnvironment, onLine: CallOnLine<ConnectedLine>): LiveCall =>
  new AudioCall(environment, onLine);

class AudioCall implements LiveCall, MediaListener {
  readonly done: Promise<void>;
  private finish: () => void = () => undefined;
  private readonly reporter: JobReporter;
  private readonly problems = new CallProblems();
  private readonly stream: MediaStream;
  private readonly playback: AudioPlayback;
  private readonly recording: RecordingUpload | undefined;
  private readonly toServer: Resampler;
  private readonly answeredMs = performance.now();
  private connection: AudioConnection | undefined;
  private limit: NodeJS.Timeout | undefined;
  private over = false;
  private readonly listeners: LiveSound;
  private readonly losses = new Set<LineLoss>();

  constructor(
    private readonly environment: AudioCallEnvironment,
    private readonly onLine: CallOnLine<ConnectedLine>,
  ) {
    const { job, line, platform, log } = onLine;
    this.done = new Promise((resolve) => (this.finish = resolve));
    this.reporter = new JobReporter(platform, job, log);
    const { job_id: jobId, epoch } = job;
    this.listeners = new LiveSound({ platform, jobId, epoch, log });
    // Only the customer's server produces speech, and its text is unknown here, so this worker cannot play an announcement.
    const isSilent = configurationOf(job).recording_announcement !== undefined;
    if (job.call.recording_enabled && isSilent) this.problems.note(notAnnounced);
    const records = job.call.recording_enabled && !isSilent;
    this.recording = records ? new RecordingUpload({ platform, jobId, epoch, log }) : undefined;
    const now = (): number => performance.now();
    this.stream = new MediaStream(line, this, { now, ...(this.recording && { onPart: this.recording.take }) });
    const { playout } = this.stream;
    const onMark = (name: string): void => this.connection?.mark(name);
    const onOverflow = (what: string): void => this.connection?.lose(what, 1009);
    this.playback = new AudioPlayback({ sampleRate: line.sampleRate, playout, now, onMark, onOverflow });
    this.toServer = new Resampler(line.sampleRate, callSampleRate);
    const opened = persist(
      () => this.credentials(),
      AbortSignal.timeout(credentialsMs),
      (error, attempt) => log.warn({ err: error, attempt }, 'the address of an agent could not be read; retrying'),
    );
    opened.then(
      ({ external }) => this.begin(external),
      (error: unknown) => this.refuse(error),
    );
  }

  get jobId(): string {
    return this.onLine.job.job_id;
  }

  get epoch(): number {
    return this.onLine.job.epoch;
  }

  get leaseSeconds(): number {
    return this.onLine.job.lease_seconds;
  }

  cancelRequested(): void {
    this.end('canceled');
  }

  /** Commands about what to say do not apply, because the customer's server speaks. Keys, the recording and the end of the call are handled by the line. */
  command({ type, fields }: CallCommand): CommandResult {
    if (this.over || this.connection === undefined) return refused('call_over', 'the call is not in progress');
    const { line } = this.onLine;
    switch (type) {
      case 'press':
        if (line.cannot?.has('press') === true) return refused('unavailable', 'this line does not support keys');
        this.press(String(fields['digits']));
        return performed;
      case 'mute':
        this.stream.playout.muted = fields['muted'] === true;
        return performed;
      case 'pause_recording':
        this.stream.pauseRecording(true);
        return performed;
      case 'resume_recording':
        this.stream.pauseRecording(false);
        return performed;
      case 'listen':
        this.listeners.begin((take) => this.stream.listenIn(take));
        return performed;
      case 'transfer':
        this.end('transferred');
        return performed;
      case 'hang_up':
        this.end('agent_hung_up');
        return performed;
      default:
        return refused('unavailable', `a call that the agent's own server conducts does not support ${type}`);
    }
  }

  leaseLost(): void {
    if (this.over) return;
    this.letGo();
    this.onLine.line.hangUp();
    this.leave();
  }

  // Events of the line.

  audio(samples: Int16Array): void {
    const sound = this.toServer.resample(samples);
    if (sound.length > 0) this.connection?.hear(muLawBytes(sound));
  }

  pressed(digits: string): void {
    this.connection?.press(digits);
  }

  heard(utterance: string, samples: number): void {
    this.playback.heard(utterance, samples);
  }

  ended(end: LineEnd): void {
    const { direction, channel } = this.onLine.job.call;
    const hungUp = direction === 'outbound' && channel !== 'browser' ? 'callee_hung_up' : 'caller_hung_up';
    if (end === 'hung_up_here') this.end('agent_hung_up');
    else if (end === 'hung_up_there') this.end(hungUp);
    else this.end('carrier_failure', end === 'too_much_unread' ? end : undefined);
  }

  lost(what: LineLoss): void {
    if (this.losses.has(what)) return;
    this.losses.add(what);
    this.problems.note(lossOf(what));
  }

  // The customer's server does its own recognition and reports no text.
  speech(): void {}
  music(): void {}
  tone(): void {}
  judged(): void {}
  typed(): void {}

  private credentials(): Promise<WorkerCredentials> {
    const { platform, job } = this.onLine;
    return openCredentials((jobId, path, body) => platform.underLease(jobId, path, body), job);
  }

  private begin(external: WorkerCredentials['external']): void {
    if (this.over) return;
    if (external === null || external.url === '') return this.refuse(new Error('the agent has no address'));
    const { job, line } = this.onLine;
    const { variables = {}, effective } = configurationOf(job);
    const values = readEffectiveTuning(effective);
    const { agent } = this.environment.network.accountOf({ apiKey: undefined, baseUrl: external.url });
    const { call } = job;
    this.stream.playout.bed = environmentBed(values.audio_environment, line.sampleRate);
    this.connection = new AudioConnection({
      server: { url: external.url, agent, secrets: external.signing_secrets },
      subject: {
        callId: call.call_id,
        organizationId: call.organization_id ?? '',
        agentId: call.agent_id ?? '',
        direction: call.direction ?? '',
        from: call.from ?? '',
        to: call.to ?? '',
        variables,
      },
      bounds: this.environment.bounds ?? audioBounds,
      now: () => this.environment.clock.now(),
      onMessage: (message) => this.obey(message),
      onLost: (why) => this.lostServer(why),
      onOver: (how) =>
        how === 'closed' ? this.end('agent_hung_up') : this.end('agent_unresponsive', 'external_server_lost'),
    });
    const { spend_cap_seconds: paidSeconds = Infinity } = configurationOf(job);
    const [seconds, reason] =
      paidSeconds < values.max_call_seconds
        ? ([paidSeconds, 'spend_cap'] as const)
        : ([values.max_call_seconds, 'max_call_duration_reached'] as const);
    this.limit = setTimeout(() => this.end(reason), seconds * 1000);
    this.report({ type: 'answered' });
    this.report({ type: 'media_started' });
    line.notice({ type: 'ready' });
    line.notice({ type: 'state', state: 'listening' });
    this.environment.loop.add(this.stream);
    line.listen(this.stream);
  }

  private obey(message: ServerMessage): void {
    switch (message.event) {
      case 'media':
        return this.playback.play(message.payload);
      case 'mark':
        return this.playback.mark(message.name);
      case 'clear':
        return this.playback.clear();
      case 'dtmf':
        return this.press(message.digits);
      case 'hang_up':
        return this.end('agent_hung_up');
    }
  }

  private press(digits: string): void {
    const { sampleRate } = this.onLine.line;
    this.stream.playout.effect('keys', keyTones(digits, sampleRate), performance.now());
  }

  private lostServer(why: string): void {
    this.playback.drop();
    this.problems.note({ code: 'external_server_failed', detail: `the stream to the agent's server: ${why}` });
    this.onLine.log.warn({ why }, "the stream to an agent's server was lost");
  }

  private report(event: WorkerJobEvent): void {
    this.reporter.report(event).then(
      (answer) => {
        if (answer.cancel_requested) this.end('canceled');
      },
      (error: unknown) => this.refused(error),
    );
  }

  /** The call's record states that the call could not be conducted; the server was never connected. */
  private refuse(error: unknown): void {
    if (this.over) return;
    this.onLine.log.error({ err: error }, 'a call in the mode external_audio could not begin');
    this.problems.note({
      code: 'configuration_not_runnable',
      detail: 'the agent has no address, or it could not be read',
    });
    this.letGo();
    this.onLine.line.finish('configuration_not_runnable', null);
    this.close({ type: 'failed', ended_reason: 'configuration_not_runnable' }, undefined);
  }

  private end(endedReason: EndedReason, detail?: ReasonDetail): void {
    if (this.over) return;
    this.letGo();
    this.onLine.line.finish(endedReason, detail ?? null);
    this.environment.onUnderruns?.(this.stream.playout.ranDry);
    const elapsedMs = Math.round(performance.now() - this.answeredMs);
    const reasonDetail = detail === undefined ? {} : { reason_detail: detail };
    this.close({ type: 'ended', ended_reason: endedReason, elapsed_ms: elapsedMs, ...reasonDetail }, elapsedMs);
  }

  /** Reports the end, uploads the rest of the recording, and completes. There is no transcript, because this worker handles no text. */
  private close(event: WorkerJobEvent, answeredAgoMs: number | undefined): void {
    this.stream.recorder?.end();
    const recorded = this.recording?.finish(this.stream.recorder?.durationMs ?? 0);
    this.reporter.report(this.problems.reportedWith(event)).catch((error: unknown) => this.refused(error));
    this.reporter
      .complete({ transcript: null, ...notJudged }, { entries: new Map(), hasSound: true, answeredAgoMs })
      .then(() => recorded)
      .catch((error: unknown) => this.refused(error))
      .finally(() => this.leave());
  }

  private refused(error: unknown): void {
    if (failureOf(error) === 'fenced') return this.leaseLost();
    this.onLine.log.error({ err: error }, 'the platform rejected a report; the call continues');
  }

  private letGo(): void {
    this.over = true;
    clearTimeout(this.limit);
    this.connection?.stop();
    this.playback.drop();
    this.listeners.stop();
  }

  private leave(): void {
    this.reporter.stop();
    this.finish();
  }
}
