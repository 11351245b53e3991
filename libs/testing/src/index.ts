/**
 * What tests of several services need: throwaway databases and NATS servers, gRPC in one process, sinks for HTTP, a clock that tests move. Real servers, no doubles
 * of them. Never imported by what runs in production (a lint rule). Avoid sleeping: `eventually` waits for a state.
 */
export { CarrierLine } from './carrier-line';
export { customerCaller, operatorCaller } from './callers';
export { eventually } from './eventually';
export { CrossTenantReadCheck } from './cross-tenant-read-check';
export { fakeClock, type FakeClock } from './fake-clock';
export { freePort } from './free-port';
export { grpcClient, publicClient, testIdentity, testIdentityEnvironment, testIdentityFiles } from './identities';
export { inProcessGrpc } from './in-process-grpc';
export { natsCluster, privateNats, type NatsCluster, type PrivateNats } from './private-nats';
export { testDatabase, type TestDatabase } from './test-database';
export { testNats, testNatsUrl, type TestNats } from './test-nats';
export { testSink, type SinkAnswer, type SinkHandler, type SinkRequest, type TestSink } from './test-sink';
export * from './tenant-statements';
export { genericPlanTests, type PlanTables } from './generic-plan-tests';
export { requestPublic, type PublicTestAnswer, type PublicTestRequest } from './public-requests';
