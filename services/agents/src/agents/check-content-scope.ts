import type { OutgoingContext } from '@parley/runtime';
import { requireContentScope } from '@parley/service';
import type { AgentDocument } from './agent-document.rules';
import { boundCredentials } from './credential-bindings.rules';
import type { Dependencies } from './dependencies';

/** The customer's server that words or sound of calls go to; empty: none. Without an address, external_audio uses the endpoint of the project. */
const serverOf = ({ mode, webhook_url: text = '', audio_stream_url: audio = 'endpoint' }: AgentDocument): string =>
  ({ hosted: '', external_text: text, external_audio: audio })[mode];

/**
 * Checks a change that makes calls go to another address: that of an external mode, or of a credential that it binds. @throws AppError ForbiddenError without
 * recordings:read
 */
export async function checkContentScope(
  { credentials }: Pick<Dependencies, 'credentials'>,
  organizationId: string,
  { before, after }: { readonly before: AgentDocument; readonly after: AgentDocument },
  context: OutgoingContext,
): Promise<void> {
  const earlier = boundCredentials(before);
  const bound = boundCredentials(after).filter((id) => !earlier.includes(id));
  const found = bound.length === 0 ? [] : await credentials.find(organizationId, bound, context);
  const isMoved = serverOf(after) !== '' && serverOf(after) !== serverOf(before);
  if (isMoved || found.some(({ ownAddress }) => ownAddress)) requireContentScope(context.caller);
}
