import { allRoutes } from '@parley/contract';

const recordOf = (action: string): string => action.split('.')[0] ?? '';

/** The service that has the handler of a route. */
const serviceOf = ({ service, rpc }: (typeof allRoutes)[number]): string => service ?? rpc?.split('.')[0] ?? '';

/**
 * The service that owns an action, by the first part of the action's name: the one whose routes declare it. Actions that no route declares belong to telephony.
 * Auth writes its own entries in the transaction of the change and never receives them over the stream. Other services ask it to open credentials and so declare
 * its actions too, without becoming their owner.
 */
const owners: ReadonlyMap<string, string> = new Map([
  ...[...allRoutes]
    .sort((one, other) => Number(serviceOf(one) === 'auth') - Number(serviceOf(other) === 'auth'))
    .flatMap((route) => route.audit.map((action) => [recordOf(action), serviceOf(route)] as const)),
  // Only the command line creates keys of the platform.
  ['platform_key', 'auth'],
]);

const ownerOfTheRest = 'telephony';

/**
 * NATS lets a service publish only under its own name (`audit.v1.<organization_id>.<service>`), so the subject identifies the producer.
 * @returns the reason to reject the event; undefined if it is accepted
 */
export function checkProducer(subject: string, action: string): string | undefined {
  const producer = subject.split('.')[3];
  if (producer === undefined) return 'the subject names no producer';
  const owner = owners.get(recordOf(action)) ?? ownerOfTheRest;
  return owner === producer ? undefined : `${action} is an action of ${owner}, but was published by ${producer}`;
}
