import { accepts, closedObject, everyFieldHasRows, enumField, numberField, type Subject } from '../../test/rule-table';
import { AgentOpening, firstSpeakers } from './opening';

const subject: Subject = { cls: AgentOpening };

enumField(subject, 'first_speaker', firstSpeakers);
numberField(subject, 'silence_wait_seconds', { min: 1, max: 5 });
closedObject(subject);
accepts({ ...subject, base: { first_speaker: 'agent' } }, 'silence_wait_seconds', [3]);

everyFieldHasRows(subject, { first_speaker: 'callee', silence_wait_seconds: 2 });
