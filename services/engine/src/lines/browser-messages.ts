import {
  outsideText,
  type TestCallClear,
  type TestCallDigits,
  type TestCallEnded,
  type TestCallHangUp,
  type TestCallMark,
  type TestCallReady,
  type TestCallState,
  type TestCallText,
  type TestCallTool,
  type TestCallTranscript,
} from '@parley/contract';
import { jsonObject } from './json-message';

/** JSON messages from a client of a browser line. */
export type BrowserMessage = Readonly<TestCallMark | TestCallDigits | TestCallText | TestCallHangUp>;

/** JSON messages that report something to a client of a browser line. */
export type BrowserNotice = Readonly<TestCallReady | TestCallTranscript | TestCallState | TestCallTool>;

/** All JSON messages to a client of a browser line. */
export type SentMessage = BrowserNotice | Readonly<TestCallMark | TestCallClear | TestCallEnded>;

/** 1 to 64 code units. */
const longestMark = 64;
const digits = /^[0-9*#]{1,32}$/;
/** Maximum characters of a typed turn; a blank one is rejected. */
const longestText = 4_000;

/** The parsed message; undefined if unknown or malformed. Unknown fields are dropped. */
export function readBrowserMessage(json: string): BrowserMessage | undefined {
  const message = jsonObject(json);
  switch (message?.['type']) {
    case 'mark': {
      const { name } = message;
      return typeof name === 'string' && name !== '' && name.length <= longestMark ? { type: 'mark', name } : undefined;
    }
    case 'dtmf': {
      const keys = message['digits'];
      return typeof keys === 'string' && digits.test(keys) ? { type: 'dtmf', digits: keys } : undefined;
    }
    case 'text': {
      const { text } = message;
      const fits = typeof text === 'string' && text.trim() !== '' && text.length <= longestText;
      return fits ? { type: 'text', text: outsideText(text) } : undefined;
    }
    case 'hang_up':
      return { type: 'hang_up' };
    default:
      return undefined;
  }
}
