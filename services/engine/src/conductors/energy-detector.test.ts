import { EnergyDetector } from './energy-detector';

const frame = 320;
const tone = (ms: number, amplitude: number): Int16Array =>
  Int16Array.from({ length: ms * 16 }, (_, at) => Math.round(amplitude * Math.sin(at / 4)));
const silence = (ms: number): Int16Array => new Int16Array(ms * 16);

/** What is told of the sound, in pieces of a length; lengths of utterances in milliseconds. */
function told(pieces: readonly Int16Array[], pieceLength = frame): (string | number)[] {
  const events: (string | number)[] = [];
  const detector = new EnergyDetector({
    started: () => events.push('started'),
    ended: (samples) => events.push(samples.length / 16),
  });
  const whole = Int16Array.from(pieces.flatMap((piece) => [...piece]));
  for (let at = 0; at < whole.length; at += pieceLength) detector.hear(whole.slice(at, at + pieceLength));
  if (detector.hearsSpeech) {
    detector.flush();
    events.push('flushed');
  }
  return events;
}

it.each<[string, Int16Array[], (string | number)[]]>([
  ['silence is no speech', [silence(2_000)], []],
  ['three loud frames begin speech', [silence(500), tone(60, 3_000), silence(300)], ['started', 600]],
  ['two loud frames are a click', [silence(500), tone(40, 3_000), silence(500)], []],
  ['it ends after 300 ms without voice', [tone(1_000, 3_000), silence(300)], ['started', 1_300]],
  ['it does not end after 280 ms', [tone(1_000, 3_000), silence(280)], ['started', 1_280, 'flushed']],
  [
    'a pause of 280 ms divides nothing',
    [tone(500, 3_000), silence(280), tone(500, 3_000), silence(300)],
    ['started', 1_580],
  ],
  [
    'a pause of 300 ms divides',
    [tone(500, 3_000), silence(300), tone(500, 3_000), silence(300)],
    ['started', 800, 'started', 800],
  ],
  ['what is quieter than any microphone is no speech', [tone(1_000, 400)], []],
  ['speech that goes on is handed over after 30 s', [tone(30_000, 3_000)], ['started', 30_000]],
])('%s', (_, pieces, events) => {
  expect(told(pieces)).toEqual(events);
});

it.each([1, 100, 320, 4_000])('the pieces of %d samples in which sound comes do not matter', (length) => {
  expect(told([silence(500), tone(400, 3_000), silence(400)], length)).toEqual(['started', 940]);
});

it('follows a steady noise, and hears speech over it', () => {
  const noise = tone(20_000, 420);
  expect(told([noise])).toEqual([]);
  expect(told([noise, tone(500, 6_000), tone(400, 420)])).toEqual(['started', 1_040]);
});
