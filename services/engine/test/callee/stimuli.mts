const { FliteVoice, readWave, resampleWhole } = await import('@parley/speech');

const rate = 8_000;
/** What is louder than this is speech at both ends of an utterance. */
const speechLevel = 500;
const peak = 12_000;

/** Sentences by the offline voice at 8 kHz, cut hard: the first and the last sample are sound, so that times are exact. */
export async function spoken(texts: readonly string[], voiceId = 'voice-3'): Promise<Int16Array[]> {
  const voice = new FliteVoice({ threads: 1, waiting: texts.length, timeoutMs: 60_000 });
  try {
    const all: Int16Array[] = [];
    for (const text of texts) {
      const wave = await voice.synthesize({ owner: 'callee', text, voiceId, delivery: undefined });
      const { samples, sampleRate } = readWave(wave);
      all.push(cut(loudest(resampleWhole(samples, sampleRate, rate))));
    }
    return all;
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
