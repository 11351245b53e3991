import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Conversation } from '../../test/conversation';

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
