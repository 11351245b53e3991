import { routes } from '@parley/contract';
import { customerCaller, operatorCaller } from '@parley/testing';
import type { Instance } from './telephony-under-test';

/** Requests about the limits of an organization, as the gateway forwards them. */

export const topUpWallet = (instance: Instance, organizationId: string, body: object, key = '') =>
  instance.request(routes.topUpWallet, { caller: operatorCaller, organizationId, body, key });

/** Balance, reserved and available, in micro-USD. */
export async function walletOf(instance: Instance, organizationId: string): Promise<[number, number, number]> {
  const { body } = await instance.request(routes.getWallet, { caller: customerCaller(organizationId) });
  return [body.balance.amount_micros, body.reserved.amount_micros, body.available.amount_micros];
}

export const setControls = (instance: Instance, organizationId: string, body: object, ifMatch = '') =>
  instance.request(routes.setControls, {
    caller: operatorCaller,
    params: { organization_id: organizationId },
    body,
    ifMatch,
  });

export const setPolicy = (instance: Instance, organizationId: string, body: object, ifMatch = '') =>
  instance.request(routes.setPolicy, {
    caller: operatorCaller,
    params: { organization_id: organizationId },
    body,
    ifMatch,
  });

export const suppress = (instance: Instance, organizationId: string, ...numbers: string[]) =>
  instance.request(routes.createSuppressions, {
    caller: customerCaller(organizationId),
    body: { phone_numbers: numbers },
  });

export const removeSuppression = (instance: Instance, organizationId: string, number: string) =>
  instance.request(routes.removeSuppression, {
    caller: customerCaller(organizationId),
    body: { phone_number: number },
  });
