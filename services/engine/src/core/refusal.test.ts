import { Conversation } from '../../test/conversation';
import { apologyIn } from './languages/index';

it('the agent says three times in a call that it cannot answer; after that the caller is still owed a reply', () => {
  const call = Conversation.asked();
  const refuse = (now: number) =>
    call.at(now, { type: 'model_failed', attempt: call.attempt, retry: false, refused: 'filtered' });
  const apologies = () => call.said.filter((text) => text === apologyIn('en')).length;
  const counts: number[] = [];
  for (let now = 11_000; counts.length < 4; now += 10_000) {
    refuse(now);
    refuse(now + 100);
    counts.push(apologies());
    call
      .spoken(now + 1_000)
      .says('And now?', now + 2_000, now + 3_000)
      .at(now + 5_000);
  }
  expect(counts).toEqual([1, 2, 3, 3]);
  expect(call.state.owed.owed).toBe(true);
});
