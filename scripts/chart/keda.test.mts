import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { render, type Values } from './render.mts';

/** The ScaledObject of the engine: what it counts, and what happens if there is nothing to count. */
interface Scaled {
  readonly cooldownPeriod?: number;
  readonly minReplicaCount: number;
  readonly advanced: { readonly horizontalPodAutoscalerConfig: { readonly behavior: object } };
  readonly fallback: { readonly behavior: string; readonly replicas: number };
  readonly triggers: readonly { readonly metricType?: string; readonly metadata: Readonly<Record<string, string>> }[];
}

const enabled = { enabled: true, prometheusAddress: 'http://prometheus:9090' };

async function scaled(values: Values): Promise<Scaled> {
  const { manifests } = await render(values);
  const found = manifests.filter(({ kind }) => kind === 'ScaledObject');
  assert.equal(found.length, 1);
  const spec = found[0]?.spec as Scaled | undefined;
  assert.ok(spec);
  return spec;
}

await test('KEDA counts due calls and live calls for the number of engines', async () => {
  const [first] = (await scaled({ keda: enabled })).triggers;
  assert.match(
    first?.metadata['query'] ?? '',
    /sum\(parley_engine_live_calls\{.*\}\) \+ \(max\(parley_call_jobs_runnable\{/,
  );
});

await test('without metrics of engines KEDA keeps the current pods', async () => {
  const { triggers, fallback, minReplicaCount } = await scaled({ keda: { ...enabled, minReplicas: 3 } });
  const [calls, lateness] = triggers;
  // Otherwise an empty result is 0 calls, which removes pods.
  assert.equal(calls?.metadata['ignoreNullValues'], 'false');
  // Older versions of KEDA have a fallback only for averages per pod, which is the default.
  assert.equal(calls.metricType, undefined);
  // Lateness has no result while there are no calls, which is no error.
  assert.equal(lateness?.metadata['ignoreNullValues'], 'true');
  assert.equal(fallback.behavior, 'currentReplicasIfHigher');
  assert.equal(fallback.replicas, 3);
  assert.equal(minReplicaCount, 3);
});

const hasPromtool = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;
await test(
  'promtool: the query has no result exactly if no engine is scraped',
  { skip: hasPromtool ? false : 'no promtool on PATH' },
  async () => {
    const [calls] = (await scaled({ keda: enabled })).triggers;
    const live = (pod: string, value: number) => ({
      series: `parley_engine_live_calls{namespace="voice",pod="${pod}"}`,
      values: `${value}x10`,
    });
    const due = { series: 'parley_call_jobs_runnable{namespace="voice",pod="telephony-1"}', values: '7x10' };
    const foreign = { series: 'parley_engine_live_calls{namespace="other",pod="engine-1"}', values: '9x10' };
    const cases = [
      { input: [due, foreign], result: undefined },
      // A new installation: engines without calls, and telephony is not scraped yet.
      { input: [live('engine-1', 0)], result: 0 },
      { input: [live('engine-1', 20), live('engine-2', 15), foreign], result: 35 },
      { input: [live('engine-1', 20), due, { ...due, series: due.series.replace('-1', '-2') }], result: 27 },
    ];
    const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-keda-'));
    try {
      const description = path.join(folder, 'test.yaml');
      const tests = cases.map(({ input, result }) => ({
        interval: '1m',
        input_series: input,
        promql_expr_test: [
          {
            expr: calls?.metadata['query'],
            eval_time: '5m',
            exp_samples: result === undefined ? [] : [{ labels: '{}', value: result }],
          },
        ],
      }));
      writeFileSync(description, stringify({ rule_files: [], evaluation_interval: '1m', tests }));
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', description], { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

await test('keda.cooldownSeconds is how long the load must be lower before pods are removed', async () => {
  const behavior = async (values: Values) =>
    (await scaled({ keda: { ...enabled, cooldownSeconds: 120 }, ...values })).advanced.horizontalPodAutoscalerConfig
      .behavior;
  assert.deepEqual(await behavior({}), { scaleDown: { stabilizationWindowSeconds: 120 } });
  const slowly = { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] };
  assert.deepEqual(
    await behavior({
      defaults: { autoscaling: { behavior: { scaleUp: { stabilizationWindowSeconds: 30 } } } },
      services: { engine: { autoscaling: { behavior: { scaleDown: slowly } } } },
    }),
    { scaleUp: { stabilizationWindowSeconds: 30 }, scaleDown: { ...slowly, stabilizationWindowSeconds: 120 } },
  );
  // An explicit behavior takes precedence, also one of 0.
  assert.deepEqual(
    await behavior({
      services: { engine: { autoscaling: { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } } } },
    }),
    { scaleDown: { stabilizationWindowSeconds: 0 } },
  );
  // KEDA uses it only to remove the last pod, which the schema forbids.
  assert.equal((await scaled({ keda: enabled })).cooldownPeriod, undefined);
});
