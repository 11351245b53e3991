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

const unionOf = (classes: readonly Class[], description: string): JsonSchema => ({
  description,
  oneOf: classes.map(({ name }) => ({ $ref: `#/components/schemas/${name}` })),
});

const messageOf = (name: string, title: string): object => ({
  name,
  title,
  contentType: 'application/json',
  payload: { $ref: `#/components/schemas/${name}` },
});

const operationOf = (action: 'send' | 'receive', message: string, description: string): object => ({
  action,
  description,
  channel: { $ref: '#/channels/test_call' },
  messages: [{ $ref: `#/channels/test_call/messages/${message}` }],
});

/** The channel, the operations and the schemas of test calls. Their audio is sent as binary messages, which are not described. */
export const testCallDocument = () => ({
  channel: {
    address: null,
    title: 'Test calls',
    description:
      'A WebSocket at the `websocket_url` of POST /v1/agents/{agent_id}/test-calls with the subprotocol `parley.audio.v1`. Text messages are described here; binary messages are audio.',
    messages: {
      TestCallMessage: messageOf('TestCallMessage', 'From the platform'),
      TestCallClientMessage: messageOf('TestCallClientMessage', 'From the client'),
    },
  },
  operations: {
    send_to_test_call: operationOf('send', 'TestCallMessage', 'The platform sends to the client.'),
    receive_from_test_call: operationOf('receive', 'TestCallClientMessage', 'The client sends to the platform.'),
  },
  schemas: {
    ...jsonSchemasOf([...fromPlatform, ...fromClient]),
    TestCallMessage: unionOf(fromPlatform, 'A text message from the platform to the client of a test call.'),
    TestCallClientMessage: unionOf(fromClient, 'A text message from the client of a test call to the platform.'),
  },
});
