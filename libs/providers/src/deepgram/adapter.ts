import type { StreamingAdapter } from '../adapter';
import { flux } from './flux';
import { nova } from './nova';
import { provider } from './protocol';

/** Only transcribers: for its voices (Aura) there is no adapter. */
export const deepgram: StreamingAdapter = {
  name: provider,
  requiresKey: true,
  transcriber: (account, model) => (model?.startsWith('flux') === true ? flux(account, model) : nova(account)),
};
