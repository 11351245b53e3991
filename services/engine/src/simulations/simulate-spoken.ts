import type { SimulationScenario } from '@parley/contract';
import { readWave, resampleWhole, type FliteVoice } from '@parley/speech';
import { shortfallsOf } from '../core/problems';
import { sampleRate, SpokenCallee } from '../lines/spoken-callee';
import { environmentBed } from '../media/environment';
import type { MediaLoop } from '../media/media-loop';
import { AudioLine, type AudioLineOptions } from '../session/audio-line';
import { realTimeClock } from '../session/call-clock';
import type { OfflineSpeech } from '../session/offline-speech';
import type { SessionContext, SessionParts } from '../session/session-parts';
import { calleeOf } from './callee-of-scenario';
import { converse, personaOf, type Conversation, type SimulationTools } from './simulate';
import type { SimulatedAgent } from './simulated-agent';

/** What spoken conversations of a process share. */
export interface SimulatedSound {
  readonly loop: Pick<MediaLoop, 'add'>;
  /** The voice of all callees. */
  readonly voice: Pick<FliteVoice, 'synthesize'>;
  /** Replaces the simulated transcriber and voice of agents; undefined: agents that have these are not tried here. */
  readonly offline: Pick<OfflineSpeech, 'adapterFor'> | undefined;
}

/** The callee speaks with the voice that recognition was measured with. */
const voiceId = 'sim-anna';
const noise = { preset: 'street', volume: 1 } as const;

/**
 * Runs a scenario with sound, in real time: the callee speaks with the offline voice, and the agent listens and speaks with its own components. A persona is
 * given the agent's text and does not hear it. Ends early when the signal is aborted.
 */
export async function simulateSpoken(
  agent: SimulatedAgent,
  scenario: SimulationScenario,
  tools: SimulationTools & { readonly sound: SimulatedSound; readonly owner: string; readonly signal: AbortSignal },
): Promise<Conversation> {
  const { clock: real, log, sound, owner, signal } = tools;
  const clock = realTimeClock(real);
  const model = await agent.modelFor(clock);
  const persona = personaOf(agent, scenario, model);
  const callee = new SpokenCallee({
    script: persona?.script ?? calleeOf(scenario),
    synthesize: async (text) => {
      const wave = await sound.voice.synthesize({ owner, text, voiceId, delivery: undefined });
      const { samples, sampleRate: from } = readWave(wave);
      return resampleWhole(samples, from, sampleRate);
    },
    bed: scenario.conditions?.includes('noise') === true ? environmentBed(noise, sampleRate) : undefined,
    now: () => performance.now(),
  });
  const giveUp = (): void => callee.giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  const { problems, ...conversation } = await converse({
    ...{ agent, scenario, model, clock, log, connected: true },
    hold: () => () => undefined,
    prepareLine: (context) =>
      prepareLine({ agent, callee, clock, log, loop: sound.loop, onAgent: (text) => persona?.hears(text) }, context),
  });
  signal.removeEventListener('abort', giveUp);
  return { ...conversation, problems: [...problems, ...callee.problems] };
}

interface Preparing extends Pick<AudioLineOptions, 'clock' | 'loop' | 'log' | 'onAgent'> {
  readonly agent: SimulatedAgent;
  readonly callee: SpokenCallee;
}

async function prepareLine(
  { agent, callee, ...shared }: Preparing,
  { plan, note }: SessionContext,
): Promise<Pick<SessionParts, 'line' | 'shortfalls'>> {
  const speech = agent.speechFor?.(shared.clock, note);
  if (speech === undefined) throw new Error('the agent has no transcriber and no voice');
  const languages = [...new Set([plan.language, ...plan.followLanguages.map(({ locale }) => locale)])];
  const listener = await speech.listeners(languages);
  const { detectsLanguage } = listener(plan.language).transcriber.capabilities;
  const line = new AudioLine({
    ...shared,
    line: callee,
    transcription: {
      componentFor: listener,
      language: plan.language,
      alternatives: languages.slice(1),
      log: shared.log,
    },
    voice: { componentFor: await speech.voices(languages) },
    recording: undefined,
    // The callee would take the background for the agent's voice.
    bed: undefined,
  });
  return { line, shortfalls: shortfallsOf(agent.configuration, detectsLanguage) };
}
