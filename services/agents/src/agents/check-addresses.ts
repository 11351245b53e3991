import { isWebhookTool, type AgentTool } from '@parley/contract';
import { checkAddress, type AddressPolicy } from '@parley/service';
import type { AgentDocument } from './agent-document.rules';
import { same } from '../same.rules';
import { checkParameters } from './tool-parameters';

interface Addresses {
  readonly webhook_url?: string | null;
  readonly audio_stream_url?: string | null;
  readonly tools?: readonly AgentTool[];
}

/**
 * Validates the addresses of a write: its own and those of its tools by the rules of endpoint addresses. Parameter schemas must not refer to other documents.
 * Stored values are not validated again.
 * @throws AppError BadRequestError naming the field
 */
export function checkAddresses(policy: AddressPolicy, body: Addresses, stored?: AgentDocument): void {
  const { webhook_url: webhook, audio_stream_url: audio } = body;
  if (typeof webhook === 'string' && webhook !== stored?.webhook_url)
    checkAddress(webhook, 'http', 'webhook_url', policy);
  if (typeof audio === 'string' && audio !== stored?.audio_stream_url)
    checkAddress(audio, 'websocket', 'audio_stream_url', policy);
  for (const [index, tool] of (body.tools ?? []).entries()) {
    if (!isWebhookTool(tool)) continue;
    const before = stored?.tools.filter(isWebhookTool).find(({ name }) => name === tool.name);
    if (tool.url !== before?.url) checkAddress(tool.url, 'http', `tools[${index}].url`, policy);
    if (!same(tool.parameters, before?.parameters)) checkParameters(tool.parameters, `tools[${index}].parameters`);
  }
}
