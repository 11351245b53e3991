import type { ProviderAccount } from '@parley/providers';
import type { InventoryProtocol, ListedVoice } from '../providers';

/** Why an inventory could not be read. Contains no data from the provider. */
export class InventoryFailure extends Error {
  constructor(
    readonly reason: 'refused' | 'rate_limited' | 'away' | 'late',
    readonly retryAfterSeconds = 1,
  ) {
    super(`the inventory was not read: ${reason}`);
    this.name = 'InventoryFailure';
  }
}

export interface InventoryLimits {
  /** Timeout in milliseconds for all pages together. */
  readonly timeoutMs: number;
  /** Maximum bytes of one page. */
  readonly mostBytes: number;
  readonly mostPages: number;
}

/** The timeout is shorter than the gateway's. 20 pages contain 2,000 voices. */
export const usualLimits: InventoryLimits = { timeoutMs: 10_000, mostBytes: 4 * 1024 * 1024, mostPages: 20 };

/** The voices of an account, up to the limits. @throws InventoryFailure */
export async function readInventory(
  protocol: InventoryProtocol,
  account: ProviderAccount,
  limits = usualLimits,
): Promise<readonly ListedVoice[]> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const voices = new Map<string, ListedVoice>();
  let after: string | undefined;
  for (let pages = 0; pages < limits.mostPages; pages += 1) {
    const { status, body } = await get(protocol, account, protocol.page(after), signal, limits.mostBytes);
    // A customer's own server may not support this list.
    if (status === 404 && protocol.baseUrl === undefined) return [];
    const page = status === 200 ? protocol.read(parsed(body)) : undefined;
    if (page === undefined) throw new InventoryFailure('away');
    for (const voice of page.voices) voices.set(voice.voice_id, voice);
    if (page.next === undefined || page.next === after) break;
    after = page.next;
  }
  return [...voices.values()];
}

/** Whether the account has a voice that the list does not contain. @throws InventoryFailure */
export async function hasVoice(
  protocol: InventoryProtocol,
  account: ProviderAccount,
  path: string,
  limits = usualLimits,
): Promise<boolean> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const { status } = await get(protocol, account, path, signal, limits.mostBytes);
  if (status === 200) return true;
  if (status === 400 || status === 404 || status === 422) return false;
  throw new InventoryFailure('away');
}

async function get(
  { baseUrl, headers }: InventoryProtocol,
  account: ProviderAccount,
  path: string,
  signal: AbortSignal,
  mostBytes: number,
): Promise<{ readonly status: number; readonly body: string }> {
  const base = account.baseUrl ?? baseUrl;
  if (base === undefined) throw new InventoryFailure('refused');
  try {
    const answer = await (account.fetch ?? fetch)(`${base}${path}`, {
      headers: { accept: 'application/json', 'user-agent': 'Parley/1', ...headers(account.apiKey ?? '') },
      redirect: 'manual',
      signal,
    });
    const body = await textWithin(answer, mostBytes);
    if (answer.status === 401 || answer.status === 403) throw new InventoryFailure('refused');
    if (answer.status === 429) throw new InventoryFailure('rate_limited', secondsOf(answer.headers.get('retry-after')));
    return { status: answer.status, body };
  } catch (error) {
    if (error instanceof InventoryFailure) throw error;
    throw new InventoryFailure(signal.aborted ? 'late' : 'away');
  }
}

async function textWithin(answer: Response, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > mostBytes) throw new InventoryFailure('away');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const secondsOf = (header: string | null): number => (header !== null && /^\d{1,4}$/.test(header) ? Number(header) : 1);
