import {
  canceled,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  SegmentTranscription,
  SentenceSynthesis,
  type StreamingAdapter,
  type SynthesisOptions,
  type Synthesizer,
  type Transcriber,
} from '@parley/providers';
import { knownOptions, optionsOf, type AgentTool, type TranscriptTurn } from '@parley/contract';
import { scriptedReply } from './scripted-reply';
import type { SampleRate } from '../../lines/line';

const provider = 'simulator';

/** Waits on the call's clock. @throws if the signal aborts */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Latencies of the simulated components; milliseconds of call time. */
const latencyMs = { transcriber: 120, model: 400, voice: 150 } as const;

const msPerCharacter = 55;
const shortestMs = 300;
const pieceMs = 200;
/** The simulated voice is a hum, so that speech is not silent. */
const hertz = 180;
const loudness = 2_000;

/** Deterministic components that need no account. `options.script` of the transcriber contains the caller's turns, in order. */
export const simulatedAdapter = (wait: Wait = realWait): StreamingAdapter => ({
  name: provider,
  requiresKey: false,
  transcriber: () => transcriber(wait),
  model: () => model(wait),
  synthesizer: () => synthesizer(wait),
});

const latencyOf = ({ latency_ms: wanted }: Record<string, unknown>, usual: number): number =>
  typeof wanted === 'number' ? wanted : usual;

function transcriber(wait: Wait): Transcriber {
  return {
    capabilities: { partials: false, turnHints: false, switchesLanguage: true, detectsLanguage: false },
    open(options, onEvent, signal) {
      const known = knownOptions(options.options, optionsOf('stt', provider, ''));
      const script = [...((known.script as string[] | undefined) ?? [])];
      const recognize = async (_samples: Int16Array, _language: string, wanted: AbortSignal): Promise<string> => {
        const text = script.shift();
        await wait(latencyOf(known, latencyMs.transcriber), wanted);
        return text ?? '';
      };
      return new SegmentTranscription(provider, recognize, options, onEvent, signal);
    },
  };
}

function model(wait: Wait): LanguageModel {
  return {
    capabilities: { tools: true, parallelToolCalls: false },
    async *generate(request, signal): AsyncIterable<ModelEvent> {
      const known = knownOptions(request.options, optionsOf('llm', provider, ''));
      await wait(latencyOf(known, latencyMs.model), signal).catch(() => {
        throw canceled(provider);
      });
      const names = new Set(request.tools.map(({ name }) => name));
      const { text, endsCall, press } = scriptedReply({ ...conversationOf(request), navigation: [...names] });
      for (const piece of text.match(/\S+\s*/gu) ?? []) {
        if (signal.aborted) throw canceled(provider);
        yield { type: 'delta', text: piece };
      }
      const call = press !== undefined ? toolCall('press_digits', { digits: press }) : toolCall('end_call', {});
      const calls = press !== undefined || (endsCall && names.has('end_call'));
      if (calls) yield { type: 'tool_call', call };
      yield { type: 'done', finishReason: calls ? 'tool_calls' : 'stop' };
    },
  };
}

const toolCall = (name: string, args: Readonly<Record<string, string>>) => ({
  id: `call_${name}`,
  name,
  arguments: JSON.stringify(args),
});

function conversationOf({ messages, tools }: ModelRequest) {
  const said = messages.flatMap(({ role, text }): TranscriptTurn[] =>
    role === 'user' || role === 'assistant'
      ? [{ speaker: role === 'user' ? 'caller' : 'agent', text } as TranscriptTurn]
      : [],
  );
  return {
    systemPrompt: messages.flatMap(({ role, text }) => (role === 'system' ? [text] : [])).join('\n'),
    tools: tools.map(({ name }): AgentTool => ({ type: 'builtin', name }) as AgentTool),
    said,
  };
}

function synthesizer(wait: Wait): Synthesizer {
  async function* speak(
    sentence: string,
    { sampleRate, options }: SynthesisOptions,
    signal: AbortSignal,
  ): AsyncIterable<Int16Array> {
    await wait(latencyOf(knownOptions(options, optionsOf('tts', provider, '')), latencyMs.voice), signal).catch(() => {
      throw canceled(provider);
    });
    const samples = Math.round((Math.max(shortestMs, sentence.length * msPerCharacter) * sampleRate) / 1000);
    const piece = (pieceMs * sampleRate) / 1000;
    for (let from = 0; from < samples; from += piece) yield hum(from, Math.min(piece, samples - from), sampleRate);
  }
  return {
    capabilities: { streamingText: false, timestamps: false },
    open: (options, signal) =>
      new SentenceSynthesis(provider, (sentence, wanted) => speak(sentence, options, wanted), signal, options.language),
  };
}

const hum = (from: number, length: number, sampleRate: SampleRate): Int16Array =>
  Int16Array.from({ length }, (_, n) => loudness * Math.sin((2 * Math.PI * hertz * (from + n)) / sampleRate));

const realWait: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Error('aborted'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
