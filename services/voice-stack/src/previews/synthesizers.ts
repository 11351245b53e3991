import { providers } from '../providers';
import { HttpVoice } from './http-voice';
import type { SpeechSynthesizer, Synthesizers } from './speech-synthesizer';

/** What an installation says of an account for previews. */
export interface SpeechAccount {
  readonly apiKey: string | undefined;
  /** In place of the provider's public address: a server that speaks its protocol. */
  readonly baseUrl: string | undefined;
}

/** Below the time that agents waits for a preview. */
const timeoutMs = 15_000;
const atOnce = 8;

/** Who speaks for which provider: the offline voice, and every provider that is platform-managed and has a key. */
export function synthesizersOf(
  offline: SpeechSynthesizer,
  platformManaged: readonly string[],
  accountOf: (provider: string) => SpeechAccount,
): Synthesizers {
  return new Map<string, SpeechSynthesizer>([
    ['simulator', offline],
    ...providers.flatMap(({ name, speech: protocol }): [string, SpeechSynthesizer][] => {
      const { apiKey, baseUrl } = accountOf(name);
      if (protocol === undefined || apiKey === undefined || apiKey === '' || !platformManaged.includes(name)) return [];
      const options = { protocol, apiKey, baseUrl: baseUrl?.replace(/\/+$/, ''), timeoutMs, atOnce };
      return [[name, new HttpVoice(options)]];
    }),
  ]);
}
