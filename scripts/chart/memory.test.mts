import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configOf, environmentOf, loadConfig } from './configuration.mts';
import { matrix } from './matrix.mts';
import { podOf } from './policies.mts';
import { render } from './render.mts';

/** What a process needs without bodies, 2,400 connections included (chaos/slow-bodies.mts measures it). */
const restMib = 320;
/** A body exists as it was read, as a message, in the buffers of a connection, and for a moment as text or values. */
const copies = 4;
/** The processes that read documents, next to the service. */
const readersOfDocumentsMib = 2 * 512;

const mibOf = (memory: string): number => {
  const [, number = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(memory) ?? [];
  return Number(number) * (unit === 'Gi' ? 1_024 : 1);
};

for (const name of ['minimal', 'production']) {
  await test(`limits of memory follow from the budget of bodies, with ${name}`, async () => {
    const { manifests } = await render(matrix[name] ?? {});
    const containers = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap((manifest) => podOf(manifest)?.containers ?? []);
    const gateway = containers.find((one) => one.name === 'gateway');
    assert.ok(gateway);
    const { bodyBudgetMib, bodyBudgetPerClientMib } = loadConfig(configOf('gateway'), environmentOf(gateway.env ?? []));
    // Each gateway has as many replicas as a service, so a service gets the bodies of one gateway.
    const formula = restMib + copies * Number(bodyBudgetMib);
    for (const { name: service, resources } of containers) {
      const expected = formula + (service === 'knowledge' ? readersOfDocumentsMib + copies * Number(bodyBudgetMib) : 0);
      const limit = mibOf(resources?.limits?.['memory'] ?? '');
      if (name === 'minimal') assert.equal(limit, expected, service);
      // The example has more for everything else that grows with an installation.
      else assert.ok(limit >= expected, service);
    }
    // No client uses up the process, and a document of the largest size fits twice.
    assert.ok(Number(bodyBudgetPerClientMib) <= Number(bodyBudgetMib) / 2);
    assert.ok(Number(bodyBudgetPerClientMib) >= 2 * 5);
  });
}
