import type { ConnectedLine } from '../lines/connected-line';

const everyMs = 100;
/** Maximum audio that is buffered at the other side. */
const aheadMs = 300;
/** The timeout for a mark. */
const patienceMs = 5_000;

/** Plays audio to a line that has no other audio. @param done called once when it was heard, or the line has ended */
export function pacedSound(
  line: Pick<ConnectedLine, 'sampleRate' | 'listen' | 'send' | 'mark'>,
  samples: Int16Array,
  done: () => void,
  now: () => number = () => performance.now(),
): void {
  const perMs = line.sampleRate / 1_000;
  const begunAt = now();
  let sent = 0;
  let isDone = false;
  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    clearInterval(timer);
    done();
  };
  const step = (): void => {
    const elapsed = now() - begunAt;
    if (elapsed > samples.length / perMs + patienceMs) return finish();
    const until = Math.min(samples.length, Math.round((elapsed + aheadMs) * perMs));
    if (until <= sent) return;
    line.send(samples.subarray(sent, until));
    sent = until;
    if (sent === samples.length) line.mark('said');
  };
  const timer = setInterval(step, everyMs);
  line.listen({
    audio: () => undefined,
    marked: finish,
    pressed: () => undefined,
    typed: () => undefined,
    ended: finish,
  });
  step();
}
