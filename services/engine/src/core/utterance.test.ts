import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Conversation } from '../../test/conversation';
import { longestWaits } from './waits';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of the heap in use, without garbage. */
function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('a reply that arrives in many pieces', () => {
  it('the pieces for the voice need memory in proportion to the reply, not a copy of everything before each', () => {
    const pieces = Array.from({ length: 1_000 }, (_, n) => `piece ${n} of a very long reply. `.padEnd(32, '.'));
    const call = Conversation.asked();
    const { attempt } = call;
    call.timed.length = 0;
    const before = usedBytes();
    for (const text of pieces) call.at(10_000, { type: 'model_delta', attempt, text });
    // The voice still has to say them.
    const spoken = call.all('speak').map(({ text }) => text);
    call.timed.length = 0;
    const grown = usedBytes() - before;
    expect(spoken).toEqual(pieces);
    // 32 KB of text; with copies of everything before it is 16 MB.
    expect(grown).toBeLessThan(2_000_000);
  });
});

describe('an utterance of which nothing was heard yet', () => {
  /** The voice gives no sound; from 10,500 to `until` the caller makes a sound without words. */
  const overSpoken = (until: number): Conversation => {
    const call = Conversation.asked().mute().replies(10_100, 'It costs nine.');
    return call
      .at(10_500, { type: 'speech_started', since: 10_500 })
      .at(until, { type: 'speech_ended', lastVoice: until });
  };

  it('waits for the caller without ending the call, and then has its whole time for the first sound', () => {
    const call = overSpoken(10_100 + longestWaits.firstAudio + 5_000);
    expect(call.ended).toBeUndefined();
    const released = call.at(call.now + 5_000).when('release_utterance') ?? NaN;
    expect(call.at(released + longestWaits.firstAudio - 1).count('stop_utterance')).toBe(0);
    expect(call.at(released + longestWaits.firstAudio).count('stop_utterance')).toBe(1);
  });
});
