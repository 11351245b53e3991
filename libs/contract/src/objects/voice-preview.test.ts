import { accepts, enumField, refuses, requiredFields, textField, type Subject } from '../../test/rule-table';
import { VoicePreviewCreate } from './voice-preview';
import { deliveries } from './voice-polish';

const subject: Subject = { cls: VoicePreviewCreate, base: { text: 'Hello' } };

requiredFields(subject, ['text']);
textField(subject, 'text', { min: 1, max: 500 });
refuses(subject, 'text', [' ', '\n\t ']);
enumField(subject, 'delivery', deliveries);
accepts(subject, 'voice', ['sim-anna', { provider: 'simulator', model: 'sim-speak-en' }]);
refuses(subject, 'voice', ['', 5, null, [], {}, { provider: 'simulator' }]);
accepts(subject, 'language', ['en', 'en-US']);
refuses(subject, 'language', ['e', 'e'.repeat(36), 5, null]);
refuses(subject, 'agent_id', ['', 'a'.repeat(65), 5, null]);
