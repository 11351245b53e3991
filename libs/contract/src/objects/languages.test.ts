import {
  accepts,
  booleanField,
  closedObject,
  objectField,
  refuses,
  requiredFields,
  textField,
  type Subject,
} from '../../test/rule-table';
import { AgentFollowCaller, AgentLanguageProfileOverride } from './languages';

const profile: Subject = { cls: AgentLanguageProfileOverride, base: { locale: 'de' } };
const transcriber = { provider: 'p', model: 'm' };
const voice = { provider: 'p', model: 'm', voice_id: 'v' };

requiredFields(profile, ['locale']);
textField(profile, 'locale', { min: 2, max: 35 });
textField(profile, 'greeting', { max: 1000 });
objectField(profile, 'transcriber', transcriber);
objectField(profile, 'voice', voice);
refuses(profile, 'transcriber', [null, {}, { provider: 'p' }, { model: 'm' }, voice]);
refuses(profile, 'voice', [null, {}, transcriber, { ...voice, options: {} }, 'v']);
textField(profile, 'transcriber.provider', { min: 1, max: 120 }, transcriber);
textField(profile, 'transcriber.model', { min: 1, max: 160 }, transcriber);
textField(profile, 'voice.provider', { min: 1, max: 120 }, voice);
textField(profile, 'voice.model', { min: 1, max: 160 }, voice);
textField(profile, 'voice.voice_id', { min: 1, max: 512 }, voice);
closedObject(profile);
closedObject({ ...profile, base: { locale: 'de', transcriber } }, 'transcriber');
closedObject({ ...profile, base: { locale: 'de', voice } }, 'voice');

const follow: Subject = { cls: AgentFollowCaller, base: { enabled: true } };

requiredFields(follow, ['enabled']);
booleanField(follow, 'enabled');
accepts(follow, 'scope', ['selected', 'all']);
refuses(follow, 'scope', ['', 'ALL', null, true, ['all']]);
refuses({ ...follow, base: { enabled: false } }, 'scope', ['selected', 'all']);
closedObject(follow);
