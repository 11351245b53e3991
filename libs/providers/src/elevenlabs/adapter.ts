import { baseLanguage, knownOptions, optionsOf } from '@parley/contract';
import { SentenceCutter } from '@parley/speech';
import { baseUrlOf, limitsOf, type ProviderAccount, type StreamingAdapter } from '../adapter';
import { invalidAnswer } from '../failures';
import { errorOfType } from '../http-failure';
import { PcmReader } from '../pcm';
import { SocketSynthesis, type Heard } from '../socket-synthesis';
import type { SynthesisOptions, Synthesizer } from '../synthesizer';
import { Alignment } from './alignment';

const provider = 'elevenlabs';
const publicUrl = 'https://api.elevenlabs.io';

/** Options that are sent in the URL; the others are settings of the voice. */
const ofTheAddress = ['apply_text_normalization', 'enable_logging'];

/** The settings from the delivery and from the component's options, which take precedence: either those sent in the URL or the others. */
function settingsOf({ model, delivery, options }: SynthesisOptions, inAddress: boolean): Record<string, unknown> {
  const known = knownOptions({ ...delivery, ...options }, optionsOf('tts', provider, model ?? ''));
  return Object.fromEntries(Object.entries(known).filter(([name]) => ofTheAddress.includes(name) === inAddress));
}

/** Text to speech with streamed text: each sentence is sent when it is complete, and synthesized at once. */
function streamInput(account: ProviderAccount): Synthesizer {
  return {
    capabilities: { streamingText: true, timestamps: true },
    open(wanted, signal) {
      const alignment = new Alignment(wanted.sampleRate);
      const reader = new PcmReader(wanted.sampleRate, wanted.sampleRate);
      const cutter = new SentenceCutter(wanted.language);
      const message = (text: string) => ({ text: text.endsWith(' ') ? text : `${text} ` });
      return new SocketSynthesis({
        provider,
        url: urlOf(account, wanted),
        headers: { 'xi-api-key': account.apiKey ?? '' },
        agent: account.agent,
        limits: limitsOf(account),
        signal,
        // The first message contains a space as text, and the settings that apply to all messages.
        first: [{ text: ' ', voice_settings: settingsOf(wanted, false) }],
        text: (text) => {
          alignment.write(text);
          const sentences = cutter.write(text);
          return sentences.length === 0 ? undefined : message(sentences.join(''));
        },
        end: () => {
          const rest = cutter.end();
          return [...(rest === undefined ? [] : [message(rest)]), { text: '' }];
        },
        read: (received) => heardIn(received, alignment, reader),
      });
    },
  };
}

function urlOf(account: ProviderAccount, wanted: SynthesisOptions): string {
  const { model, voiceId, language, sampleRate } = wanted;
  const id = model ?? 'eleven_flash_v2_5';
  const query = new URLSearchParams({
    model_id: id,
    output_format: `pcm_${sampleRate}`,
    // Each message is a complete sentence, so the provider need not wait for more text.
    auto_mode: 'true',
    sync_alignment: 'true',
    inactivity_timeout: '60',
    // The other models detect the language from the text.
    ...(/_v2_5|_v3/.test(id) && { language_code: baseLanguage(language) }),
    ...(settingsOf(wanted, true) as Record<string, string>),
  });
  const base = baseUrlOf(account, publicUrl).replace(/^http/, 'ws');
  return `${base}/v1/text-to-speech/${encodeURIComponent(voiceId)}/stream-input?${query.toString()}`;
}

function heardIn(message: Record<string, unknown>, alignment: Alignment, reader: PcmReader): Heard {
  if (message.error !== undefined || message.audio === undefined) {
    if (message.isFinal === true) return { done: true, words: alignment.end() };
    const type = typeof message.error === 'string' ? message.error : '';
    return {
      failed: type === '' ? invalidAnswer(provider, 'sent a message without sound') : errorOfType(provider, type),
    };
  }
  if (message.audio === null) return message.isFinal === true ? { done: true, words: alignment.end() } : {};
  const samples = reader.readBase64(message.audio);
  if (samples === undefined) return { failed: invalidAnswer(provider, 'sent audio that is not base64') };
  const words = alignment.read(message.alignment, samples.length);
  return message.isFinal === true ? { samples, words: [...words, ...alignment.end()], done: true } : { samples, words };
}

export const elevenlabs: StreamingAdapter = { name: provider, requiresKey: true, synthesizer: streamInput };
