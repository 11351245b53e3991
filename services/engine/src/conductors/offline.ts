import type { Publication, TranscriptTurn } from '@parley/contract';
import { readWave, type FliteVoice } from '@parley/speech';
import type { Clock } from '@parley/runtime';
import { callClock } from '../carriers/call-clock';
import type { CallState } from '../domain/call-state';
import type { BrowserLine } from '../lines/browser';
import type { Providers } from '../providers/provider';
import { providersFor } from '../providers/registry';
import { ConductedCall } from '../worker/conducted-call';
import { browserCarrier } from './browser-carrier';
import type { Conductor } from './conductor';
import { Recogniser } from './recogniser';

const samplesPerMs = 16;
/** What this conductor leaves out of any call. */
const shortfalls = [
  { code: 'setting_not_applied', detail: 'this worker makes no recording of a test call' },
  { code: 'setting_not_applied', detail: 'this worker plays no sound next to what the agent says' },
];

/**
 * Conducts test calls with the simulated components and offline speech: Flite speaks, pocketsphinx listens, both in English, and the simulator's model
 * replies. For development.
 */
export const offlineConductor =
  (voice: FliteVoice, clock: Clock): Conductor =>
  ({ job, line, platform, log }) => {
    const time = callClock(clock, 1);
    const publication = (job.runtime_configuration.publication ?? {}) as Partial<Publication>;
    const scripted = providersFor(publication, time);
    const recogniser = new Recogniser();
    const call = new ConductedCall({
      // What would be handed in as a recording is none of this call's sound.
      job: { ...job, call: { ...job.call, recording_enabled: false } },
      platform,
      carrier: browserCarrier(line),
      clock: time,
      providers: scripted && spokenBy(scripted, voice, recogniser, job.call.organization_id, publication),
      log,
      shortfalls: job.call.recording_enabled ? shortfalls : shortfalls.slice(1),
      observer: notices(line),
    });
    call.done
      .then(() => {
        recogniser.close();
        line.hangUp();
      })
      .catch((error: unknown) => log.error({ err: error }, 'a line could not be let go'));
    return call;
  };

function spokenBy(
  scripted: Providers,
  voice: FliteVoice,
  recogniser: Recogniser,
  owner: string,
  publication: Partial<Publication>,
): Providers {
  const voiceId = publication.voice?.voice_id ?? 'sim-anna';
  return {
    model: scripted.model,
    transcriber: {
      transcribe: ({ samples, text }) => (samples === undefined ? Promise.resolve(text) : recogniser.words(samples)),
    },
    voice: {
      async synthesize(text) {
        const { samples } = readWave(await voice.synthesize({ owner, text, voiceId, delivery: undefined }));
        return { format: 'pcm', text, durationMs: samples.length / samplesPerMs, samples };
      },
    },
  };
}

/** Shows the client what the conversation is at. */
function notices(line: BrowserLine): { changed(state: CallState): void; ended(reason: string, detail?: string): void } {
  let shown: 'listening' | 'thinking' | 'speaking' | undefined;
  let told = 0;
  const tell = ({ speaker, text }: TranscriptTurn): void => {
    told += 1;
    const side = speaker === 'agent' ? 'agent' : 'caller';
    line.notice({ type: 'transcript', speaker: side, turn_id: `turn_${told}`, text, final: true });
  };
  return {
    changed({ phase, agent, transcript }) {
      if (phase !== 'talking') return;
      const state = agent.doing === 'nothing' ? 'listening' : agent.doing;
      for (const turn of transcript.slice(told)) tell(turn);
      if (state === shown) return;
      shown = state;
      line.notice({ type: 'state', state });
    },
    ended: (reason, detail) => line.finish(reason, detail ?? null),
  };
}
