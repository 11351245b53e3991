import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { cases, conditions, services } from './alert-cases.mts';
import { chart } from './render.mts';

const file = path.join(chart, 'files/alerts.yaml');
const { groups } = parse(readFileSync(file, 'utf8')) as {
  groups: { name: string; rules: { alert: string; expr: string; labels: { severity: string } }[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

await test('every alert has a runbook under its name, and every runbook an alert', () => {
  const page = readFileSync(path.resolve(chart, '../../docs/runbooks.md'), 'utf8');
  const sections = [...page.matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  assert.deepEqual(sections.sort(), alerts.map(({ alert }) => alert.toLowerCase()).sort());
});

await test('every alert says whom it wakes', () => {
  for (const { alert, labels } of alerts) assert.ok(['page', 'ticket'].includes(labels.severity), alert);
});

await test('ParleyServiceAbsent names every service of the chart except the engine, which has an alert of its own, and the console', () => {
  const { expr } = alerts.find(({ alert }) => alert === 'ParleyServiceAbsent') ?? { expr: '' };
  const named = [...expr.matchAll(/absent\(process_start_time_seconds\{service="([\w-]+)"\}\)/g)].map(
    ([, name]) => name,
  );
  const values = parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as { services: object };
  const expected = Object.keys(values.services).filter((name) => name !== 'engine' && name !== 'console');
  assert.deepEqual(named.sort(), expected.sort());
  assert.deepEqual([...services].sort(), expected.sort());
});

await test('every alert has figures that set it off and figures that do not', () => {
  assert.deepEqual(Object.keys(cases).sort(), alerts.map(({ alert }) => alert).sort());
});

const hasPromtool = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;

await test(
  'promtool: alerts fire when they should, and not a little earlier',
  { skip: hasPromtool ? false : 'no promtool on PATH' },
  () => {
    const scratch = mkdtempSync(path.join(os.tmpdir(), 'parley-alerts-'));
    try {
      execFileSync('promtool', ['check', 'rules', file], { stdio: 'pipe' });
      const one = (alertname: string, series: Readonly<Record<string, string>>, at: string, fires: boolean) => ({
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        // How many alerts are firing, with any labels and values.
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"}) or vector(0)`,
            eval_time: at,
            exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
          },
        ],
      });
      // Each alert alone: a rule that is not asked about costs as much as the one that is.
      const descriptions = alerts.map((alert) => {
        const name = path.join(scratch, alert.alert);
        writeFileSync(`${name}.rules.yaml`, stringify({ groups: [{ name: 'one', rules: [alert] }] }));
        const tests = [...Object.entries(cases), ...conditions]
          .filter(([fired]) => fired === alert.alert)
          .flatMap(([fired, { series, quiet, at }]) => [one(fired, series, at, true), one(fired, quiet, at, false)]);
        const file = { rule_files: [`${name}.rules.yaml`], evaluation_interval: '1m', tests };
        writeFileSync(`${name}.test.yaml`, stringify(file));
        return `${name}.test.yaml`;
      });
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...descriptions], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout + stderr);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
);
