import {
  FliteVoice,
  Pocketsphinx,
  encodeMuLaw,
  decodeMuLaw,
  readWave,
  recognitionSampleRate,
  resampleWhole,
} from '../src';

const voice = new FliteVoice({ threads: 1, waiting: 4, timeoutMs: 30_000 });
afterAll(() => voice.stop());

async function spoken(text: string): Promise<Int16Array> {
  const wave = await voice.synthesize({ owner: 'org_test', text, voiceId: 'sim-anna', delivery: undefined });
  const { samples, sampleRate } = readWave(wave);
  return resampleWhole(samples, sampleRate, recognitionSampleRate);
}

/** What each utterance is recognized as. */
async function recognised(utterances: readonly Int16Array[]): Promise<string[]> {
  const texts: string[] = [];
  let recogniser: Pocketsphinx | undefined;
  try {
    for (const utterance of utterances) {
      const text = await new Promise<string>((onFinal, reject) => {
        recogniser ??= new Pocketsphinx({
          onFinal: (final) => heard(final),
          onEnd: (error) => reject(error ?? new Error('ended')),
        });
        heard = onFinal;
        recogniser.hear(utterance);
        recogniser.finishUtterance();
      });
      texts.push(text);
    }
  } finally {
    recogniser?.close();
  }
  return texts;
}
let heard: (text: string) => void = () => {};

(Pocketsphinx.isAvailable() ? describe : describe.skip)('pocketsphinx', () => {
  it('recognizes consecutive utterances that Flite speaks', async () => {
    const texts = ['What are your opening hours on Saturday?', 'Please call me back tomorrow morning.'];
    expect(await recognised(await Promise.all(texts.map(spoken)))).toEqual([
      'what are your opening hours on saturday',
      'please call me back tomorrow morning',
    ]);
  });

  it('recognizes a short answer that was encoded as mu-law at 8,000 Hz', async () => {
    const narrow = encodeMuLaw(resampleWhole(await spoken('Yes.'), recognitionSampleRate, 8_000));
    const wide = resampleWhole(decodeMuLaw(narrow), 8_000, recognitionSampleRate);
    expect(await recognised([wide])).toEqual([expect.stringMatching(/./)]);
  });

  it('reports its end once and without an error, even if it is closed twice', async () => {
    const ends: (Error | undefined)[] = [];
    const ended = new Promise<Error | undefined>((resolve) => {
      const onEnd = (error: Error | undefined) => {
        ends.push(error);
        resolve(error);
      };
      const recogniser = new Pocketsphinx({ onFinal: () => {}, onEnd });
      recogniser.close();
      recogniser.close();
    });
    expect(await ended).toBeUndefined();
    expect(ends).toHaveLength(1);
  });
});

it('reports an error if the program is not installed', async () => {
  expect(Pocketsphinx.isAvailable('no-such-recogniser')).toBe(false);
  const error = await new Promise<Error | undefined>((onEnd) => {
    new Pocketsphinx({ program: 'no-such-recogniser', onFinal: () => {}, onEnd });
  });
  expect(error).toBeInstanceOf(Error);
});
