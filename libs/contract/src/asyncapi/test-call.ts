import {
  TestCallClear,
  TestCallDigits,
  TestCallEnded,
  TestCallHangUp,
  TestCallMark,
  TestCallReady,
  TestCallState,
  TestCallText,
  TestCallTool,
  TestCallTranscript,
} from '../objects/test-call';
import type { Class } from '../rules/class-facts';
import { jsonSchemasOf, type JsonSchema } from '../schema/json-schema-of';

/** The text messages of `parley.audio.v1` that the platform sends. */
const fromPlatform: readonly Class[] = [
  TestCallReady,
  TestCallState,
  TestCallTranscript,
  TestCallMark,
  TestCallClear,
  TestCallTool,
  TestCallEnded,
];

/** Those that clients send. */
const fromClient: readonly Class[] = [TestCallMark, TestCallDigits, TestCallText, TestCallHangUp];

const all = [...new Set([...fromPlatform, ...fromClient])];

const unionOf = (classes: readonly Class[], description: string): JsonSchema => ({
  description,
  oneOf: classes.map(({ name }) => ({ $ref: `#/components/schemas/${name}` })),
});

const references = (classes: readonly Class[]): object[] =>
  classes.map(({ name }) => ({ $ref: `#/channels/test_call/messages/${name}` }));

/** The channel, the operations and the schemas of test calls. Their audio is sent as binary messages, which are not described. */
export const testCallDocument = () => ({
  channel: {
    address: null,
    title: 'Test calls',
    description:
      'A WebSocket at the `websocket_url` of POST /v1/agents/{agent_id}/test-calls with the subprotocol `parley.audio.v1`. Text messages are described here; binary messages are audio.',
    messages: Object.fromEntries(
      all.map(({ name }) => [
        name,
        { name, title: name, contentType: 'application/json', payload: { $ref: `#/components/schemas/${name}` } },
      ]),
    ),
  },
  operations: {
    send_to_test_call: {
      action: 'send',
      description: 'The platform sends a message to the client of a test call.',
      channel: { $ref: '#/channels/test_call' },
      messages: references(fromPlatform),
    },
    receive_from_test_call: {
      action: 'receive',
      description: 'The client of a test call sends a message to the platform.',
      channel: { $ref: '#/channels/test_call' },
      messages: references(fromClient),
    },
  },
  schemas: {
    ...jsonSchemasOf(all),
    TestCallMessage: unionOf(fromPlatform, 'A text message from the platform to the client of a test call.'),
    TestCallClientMessage: unionOf(fromClient, 'A text message from the client of a test call to the platform.'),
  },
});
