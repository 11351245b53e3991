import type { JobKind } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { Caller } from '@parley/runtime';
import { requireJobKinds, requireOperator, tenantOf } from './tenant';

const callerOf = (kind: Caller['kind'], organizationId: string): Caller => ({
  keyId: 'key_1',
  organizationId,
  kind,
  scopes: [],
});

const customer = callerOf('customer', 'org_a');
const gateway = callerOf('gateway', 'org_a');
const operator = callerOf('operator', '');
const service = callerOf('service', '');
const hosted = callerOf('hosted', '');
const simulation = callerOf('hosted_simulation', '');

/** The returned organization, or the status and code of the error. */
const outcomeOf = (work: () => string): string => {
  try {
    return work();
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
};

describe('the tenant guard', () => {
  it.each([
    [undefined, 'org_a', '401 UnauthorizedError'],
    [undefined, '', '401 UnauthorizedError'],
    [customer, 'org_a', 'org_a'],
    [customer, '', 'org_a'],
    [customer, 'org_b', '403 ForbiddenError'],
    [gateway, 'org_a', 'org_a'],
    [gateway, '', 'org_a'],
    [gateway, 'org_b', '403 ForbiddenError'],
    [operator, 'org_a', 'org_a'],
    [operator, '', ''],
    [service, 'org_a', 'org_a'],
    [service, '', ''],
    [hosted, '', ''],
    [hosted, 'org_a', '403 ForbiddenError'],
    [simulation, '', ''],
    [simulation, 'org_a', '403 ForbiddenError'],
    [callerOf('customer', ''), '', '403 ForbiddenError'],
    [callerOf('customer', ''), 'org_a', '403 ForbiddenError'],
    [callerOf('gateway', ''), '', '403 ForbiddenError'],
  ])('caller %j with organization "%s" gives %s', (caller, named, expected) => {
    expect(outcomeOf(() => tenantOf(caller, named))).toBe(expected);
  });

  it('compares organizations exactly', () => {
    for (const named of ['ORG_A', 'org_', 'org_a ', 'org_aa']) {
      expect(outcomeOf(() => tenantOf(customer, named))).toBe('403 ForbiddenError');
    }
  });
});

describe('claims of worker jobs', () => {
  it.each<[Caller, JobKind[], string]>([
    [hosted, ['call'], 'passed'],
    [hosted, ['simulation'], '403 ForbiddenError'],
    [hosted, ['call', 'simulation'], '403 ForbiddenError'],
    [simulation, ['simulation'], 'passed'],
    [simulation, ['call'], '403 ForbiddenError'],
    [simulation, ['simulation', 'call'], '403 ForbiddenError'],
    [customer, ['call', 'simulation'], 'passed'],
    [operator, ['call', 'simulation'], 'passed'],
  ])('caller %j claims job kinds %j: %s', (caller, kinds, expected) => {
    const passed = () => {
      requireJobKinds(caller, kinds);
      return 'passed';
    };
    expect(outcomeOf(passed)).toBe(expected);
  });
});

describe('requireOperator', () => {
  it.each([
    [operator, 'passed'],
    [customer, '403 ForbiddenError'],
    [gateway, '403 ForbiddenError'],
    [service, '403 ForbiddenError'],
    [hosted, '403 ForbiddenError'],
    [simulation, '403 ForbiddenError'],
  ])('caller %j: %s', (caller, expected) => {
    const passed = () => {
      requireOperator(caller);
      return 'passed';
    };
    expect(outcomeOf(passed)).toBe(expected);
  });
});
