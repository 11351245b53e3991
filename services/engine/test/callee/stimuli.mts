const { FliteVoice, readWave, resampleWhole } = await import('@parley/speech');

const rate = 8_000;
/** What is louder than this is speech at both ends of an utterance. */
const speechLevel = 500;
const peak = 12_000;

const synthesized = new Map<string, Int16Array>();

/** Sentences by the offline voice at 8 kHz, cut hard: the first and the last sample are sound, so that times are exact. Each is synthesized once in a process. */
export async function spoken(texts: readonly string[], voiceId = 'voice-3'): Promise<Int16Array[]> {
  const known = (text: string): Int16Array | undefined => synthesized.get(`${voiceId} ${text}`)?.slice();
  if (texts.every((text) => known(text) !== undefined)) return texts.map((text) => known(text) as Int16Array);
  const voice = new FliteVoice({ threads: 1, waiting: texts.length, timeoutMs: 60_000 });
  try {
    for (const text of new Set(texts)) {
      const wave = await voice.synthesize({ owner: 'callee', text, voiceId, delivery: undefined });
      const { samples, sampleRate } = readWave(wave);
      synthesized.set(`${voiceId} ${text}`, cut(loudest(resampleWhole(samples, sampleRate, rate))));
    }
    return texts.map((text) => known(text) as Int16Array);
  } finally {
    await voice.stop();
  }
}

const isSpeech = (sample: number): boolean => Math.abs(sample) > speechLevel;

const cut = (samples: Int16Array): Int16Array =>
  samples.subarray(samples.findIndex(isSpeech), samples.findLastIndex(isSpeech) + 1);

function loudest(samples: Int16Array): Int16Array {
  const most = samples.reduce((loud, sample) => Math.max(loud, Math.abs(sample)), 1);
  return samples.map((sample) => Math.round((sample * peak) / most));
}
