import { phoneNumber } from '../objects/fields';
import type { CallRecord } from '../objects/call';
import type { StoredTool } from './stored-tool';

/** What carriers may write instead of the number of a caller who withholds it: a word such as ANONYMOUS, as it is typed on a telephone's keys. */
const withheld: ReadonlySet<string> = new Set(['+266696687', '+7378742833', '+2562533', '+8656696', '+86282452253']);

type Ends = Pick<CallRecord, 'channel' | 'direction'> & { readonly from: string | null; readonly to: string | null };

/** The number at the other end of a call; undefined for a test call, a chat and a caller who withholds the number. */
export function otherNumber({ channel, direction, from, to }: Ends): string | undefined {
  const other = direction === 'outbound' ? to : from;
  if (channel !== 'phone' || other === null || withheld.has(other)) return undefined;
  return phoneNumber.pattern?.test(other) === true ? other : undefined;
}

/** The numbers besides the other end to which the tool send_sms may send, as its author listed them; undefined without that tool. */
export function furtherRecipients(tools: readonly StoredTool[]): readonly string[] | undefined {
  const tool = tools.find((one) => typeof one === 'object' && one.type === 'builtin' && one.name === 'send_sms');
  if (tool === undefined || typeof tool === 'string' || tool.type !== 'builtin') return undefined;
  const { to } = tool.config ?? {};
  return Array.isArray(to) ? to.filter((one) => typeof one === 'string') : [];
}
