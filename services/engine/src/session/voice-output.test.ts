import { createLogger } from '@parley/runtime';
import type { SynthesisEvent, SynthesisStream } from '@parley/providers';
import type { SpeechInput } from '../core/inputs';
import { VoiceOutput } from './voice-output';

const log = createLogger({ service: 'test', level: 'silent' });
const rate = 8_000;
const second = (): Int16Array => new Int16Array(rate).fill(1);

/** A synthesizer whose events are controlled by the test. */
class Opened implements SynthesisStream {
  text = '';
  ended = false;
  private readonly given: SynthesisEvent[] = [];
  private wake: () => void = () => undefined;

  constructor(readonly signal: AbortSignal) {}

  write(text: string): void {
    this.text += text;
  }

  end(): void {
    this.ended = true;
  }

  give(...events: SynthesisEvent[]): Promise<void> {
    this.given.push(...events);
    this.wake();
    return new Promise((resolve) => setImmediate(resolve));
  }

  get events(): AsyncIterable<SynthesisEvent> {
    return this.read();
  }

  private async *read(): AsyncIterable<SynthesisEvent> {
    for (;;) {
      const event = this.given.shift();
      if (event === undefined) await new Promise<void>((resolve) => (this.wake = resolve));
      else {
        yield event;
        if (event.type === 'done') return;
      }
    }
  }
}

describe('an utterance of the agent on a line with audio', () => {
  let opened: Opened[];
  let inputs: SpeechInput[];
  let said: [string, number][];
  let stops: number;
  let room: boolean;
  let heard: number;
  let reportsWhileTaking: boolean;
  let voice: VoiceOutput;

  beforeEach(() => {
    [opened, inputs, said, stops, room, heard] = [[], [], [], 0, true, 0];
    reportsWhileTaking = false;
    voice = new VoiceOutput({
      componentFor: () => ({
        own: { model: undefined, voiceId: 'v', delivery: {}, options: {} },
        synthesizer: {
          capabilities: { streamingText: true, timestamps: false },
          open: (_, signal) => {
            const stream = new Opened(signal);
            opened.push(stream);
            return stream;
          },
        },
      }),
      sampleRate: rate,
      playout: {
        say: (name, samples) => {
          // The playout does the same: it first reports what was played.
          if (reportsWhileTaking) voice.heard(name, said.length);
          if (room) said.push([name, samples.length]);
          return room;
        },
        stop: () => void (stops += 1),
        effect: () => true,
        stopEffects: () => undefined,
        heardOf: () => heard,
      },
      now: () => 0,
      onInput: (input) => void inputs.push(input),
      log,
    });
  });

  const stream = (): Opened => opened.at(-1) as Opened;
  const start = (held = false): void => voice.start({ utterance: 1, held, language: 'en' });

  it('is synthesized while its text arrives, and its playback is reported', async () => {
    start();
    voice.speak(1, 'Good ');
    voice.speak(1, 'morning.');
    voice.finish(1);
    expect([stream().text, stream().ended]).toEqual(['Good morning.', true]);
    await stream().give({ type: 'audio', samples: second() }, { type: 'done' });
    expect(said).toEqual([['utterance-1', rate]]);
    voice.heard('utterance-1', rate / 2);
    voice.heard('utterance-1', rate);
    expect(inputs).toEqual([
      { type: 'speech_audio', utterance: 1 },
      { type: 'speech_done', utterance: 1, durationMs: 1_000 },
      { type: 'played', utterance: 1, offset: 6, ms: 500 },
      { type: 'played', utterance: 1, offset: 13, ms: 1_000 },
      { type: 'playout_finished', utterance: 1 },
    ]);
  });

  it('is not played while it is held, and can be stopped without clearing the line', async () => {
    start(true);
    voice.speak(1, 'Yes.');
    await stream().give({ type: 'audio', samples: second() });
    expect([said, inputs]).toEqual([[], [{ type: 'speech_audio', utterance: 1 }]]);
    voice.stop(1);
    expect([stops, stream().signal.aborted]).toEqual([0, true]);
  });

  it('is played when it is released', async () => {
    start(true);
    await stream().give({ type: 'audio', samples: second() }, { type: 'done' });
    voice.release(1);
    expect(said).toEqual([['utterance-1', rate]]);
  });

  it('reports the played text when it is stopped', async () => {
    start();
    voice.speak(1, 'One two three four.');
    voice.finish(1);
    await stream().give({ type: 'audio', samples: second() }, { type: 'done' });
    heard = rate / 2;
    voice.stop(1);
    expect(stops).toBe(1);
    expect(inputs.at(-1)).toEqual({ type: 'played', utterance: 1, offset: 9, ms: 500 });
  });

  it('reports the played text by the word times of the voice, if there are any', async () => {
    start();
    voice.speak(1, 'Good morning.');
    const words = [
      { offset: 0, length: 4, startMs: 0, endMs: 200 },
      { offset: 5, length: 8, startMs: 250, endMs: 900 },
    ];
    await stream().give({ type: 'audio', samples: second() }, { type: 'words', words });
    voice.heard('utterance-1', rate / 2);
    expect(inputs.at(-1)).toEqual({ type: 'played', utterance: 1, offset: 4, ms: 500 });
  });

  it('waits while the line has no capacity, and continues after playback', async () => {
    start();
    await stream().give({ type: 'audio', samples: second() });
    room = false;
    await stream().give({ type: 'audio', samples: second() });
    room = true;
    voice.heard('utterance-1', 400);
    expect(said).toHaveLength(2);
  });

  it('is played once and in order, even if the line reports progress while accepting audio', async () => {
    reportsWhileTaking = true;
    voice.start({ utterance: 1, held: true, language: 'en-US' });
    for (const length of [400, 300, 200, 100])
      await opened[0]?.give({ type: 'audio', samples: new Int16Array(length).fill(1) });
    voice.release(1);
    expect(said.map(([, length]) => length)).toEqual([400, 300, 200, 100]);
  });

  it.each(['...', '👍', ' ** '])('ends without a request to the voice if its text %j cannot be pronounced', (text) => {
    start();
    voice.speak(1, text);
    voice.finish(1);
    expect(stream().text).toBe('');
    expect(stream().signal.aborted).toBe(true);
    expect(inputs.map(({ type }) => type)).toEqual(['speech_audio', 'speech_done', 'playout_finished']);
  });

  it('aborts all requests to the voice when the call ends', () => {
    start();
    voice.sayAside('One moment.', 'en');
    voice.end();
    expect(opened.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
});
