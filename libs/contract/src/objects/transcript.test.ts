import {
  accepts,
  booleanField,
  enumField,
  integerField,
  listField,
  refuses,
  textField,
  type Subject,
} from '../../test/rule-table';
import { speakers, transcriptOutcomes } from './transcript';
import { WorkerJobComplete } from './worker-job';

const toolCall = {
  tool_call_id: 'call_1',
  name: 'look_up_order',
  arguments: '{"order":"A1"}',
  result: '{"state":"sent"}',
  outcome: 'succeeded',
  duration_ms: 120,
};
const turn = {
  speaker: 'agent',
  text: 'It was sent.',
  started_ms: 0,
  ended_ms: 900,
  latency: { total_ms: 700 },
  tool_calls: [toolCall],
};
const subject: Subject = {
  cls: WorkerJobComplete,
  base: { epoch: 1, transcript: { turns: [turn] } },
};
const at = (name: string): string => `transcript.turns[0].${name}`;

enumField(subject, at('speaker'), speakers);
textField(subject, at('turn_id'), { min: 1, max: 64 });
booleanField(subject, at('interrupted'));
accepts(subject, at('digits'), ['0', '123#*', 'ABCD', '1'.repeat(256)]);
refuses(subject, at('digits'), ['', 'E', '1 2', '1'.repeat(257), 12, null]);
for (const name of ['end_of_turn_hold_ms', 'transcript_ms', 'model_first_ms', 'speech_first_ms', 'total_ms'])
  integerField(subject, at(`latency.${name}`), { min: 0, max: 1_800_000 });
refuses(subject, at('latency'), [null, 700, { of_something_else_ms: 1 }]);
listField(subject, at('tool_calls'), { min: 0, max: 50 }, () => toolCall);
textField(subject, at('tool_calls[0].tool_call_id'), { min: 1, max: 256 });
textField(subject, at('tool_calls[0].name'), { min: 1, max: 256 });
textField(subject, at('tool_calls[0].arguments'), { max: 65_536 });
textField(subject, at('tool_calls[0].result'), { max: 65_536 });
enumField(subject, at('tool_calls[0].outcome'), transcriptOutcomes);
integerField(subject, at('tool_calls[0].duration_ms'), { min: 0, max: 1_800_000 });
for (const name of Object.keys(toolCall)) refuses(subject, at(`tool_calls[0].${name}`), [undefined]);
