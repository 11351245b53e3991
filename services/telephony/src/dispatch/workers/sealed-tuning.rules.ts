import { hiddenHeader, isWebhookTool, type CallTuning, type StoredTool } from '@parley/contract';

/**
 * A tuning without header values in plain text.
 * @param seal encrypts the value of a tool's header; undefined: the value is removed, because the call is over
 * @returns undefined if there is nothing to replace
 */
export function withoutClearHeaders(
  tuning: CallTuning,
  seal: ((tool: string, header: string, value: string) => string) | undefined,
): CallTuning | undefined {
  let changed = false;
  const tools = (tuning.tools ?? []).map((tool): StoredTool => {
    if (!isWebhookTool(tool) || tool.headers === undefined) return tool;
    const { headers, ...rest } = tool;
    const clear = Object.entries(headers).filter(([, value]) => value !== hiddenHeader);
    if (clear.length === 0) return tool;
    changed = true;
    if (seal === undefined) {
      return { ...rest, headers: Object.fromEntries(Object.keys(headers).map((name) => [name, hiddenHeader])) };
    }
    const sealed = clear.map(([header, value]) => [header, seal(tool.name, header, value)] as const);
    return { ...rest, sealed_headers: { ...tool.sealed_headers, ...Object.fromEntries(sealed) } };
  });
  return changed ? { ...tuning, tools } : undefined;
}
