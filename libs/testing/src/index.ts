/**
 * What the tests of several services need: temporary databases and NATS servers, gRPC within one process, HTTP listeners that record requests, and a clock that
 * tests control. Databases and NATS are real servers, not fakes. Production code must not import it (a lint rule). Do not sleep in tests: `eventually` waits
 * for a state.
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
export { vectorDatabase } from './vector-database';
export * from './tenant-statements';
export { genericPlanTests, type PlanTables } from './generic-plan-tests';
export { placeholderArgument } from './placeholder-argument';
export { requestPublic, type PublicTestAnswer, type PublicTestRequest } from './public-requests';
export { SlowClient } from './slow-client';
