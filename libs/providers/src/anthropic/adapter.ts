import type { StreamingAdapter } from '../adapter';
import { messagesModel } from './messages';

export const anthropic: StreamingAdapter = { name: 'anthropic', requiresKey: true, model: messagesModel };
