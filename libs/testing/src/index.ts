export { customerCaller, operatorCaller } from './callers';
export { eventually } from './eventually';
export { fakeClock, type FakeClock } from './fake-clock';
export { inProcessGrpc } from './in-process-grpc';
export { privateNats, type PrivateNats } from './private-nats';
export { testDatabase, type TestDatabase } from './test-database';
export { testNats, type TestNats } from './test-nats';
export { testSink, type SinkAnswer, type SinkHandler, type SinkRequest, type TestSink } from './test-sink';
export * from './tenant-statements';
