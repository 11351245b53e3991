/** campaigns: from a CSV file to the end of the calls. */
import { openAsBlob } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { items, type CampaignRecord, type CampaignImportRecord, type Parley } from '@parley/sdk';
import type { Command } from 'commander';
import type { Context } from './context.js';
import { exitCodes, Failure } from './failure.js';
import { addOperation } from './operations/commands.js';
import { groupOf } from './operations/tree.js';
import { note, show, tableOf } from './output.js';

const everyMs = 1_000;

export function addCampaignCommands(program: Command, context: Context): void {
  const { client, common, stop } = context;
  const campaigns = groupOf(program, 'campaigns');
  addOperation(campaigns, 'create', 'createCampaign', context, {
    options: [['--csv <file>', 'its contacts; parley campaigns add adds more']],
    after: async (answer, { options }) => {
      if (typeof options.csv !== 'string') return answer;
      const { campaign_id: id } = answer as CampaignRecord;
      return { ...answer, import: await addContacts(client(), id, options.csv) };
    },
  });
  campaigns
    .command('add <campaign_id> <csv>')
    .description('add contacts from a CSV file; no contact is added twice')
    .action(async (id: string, csv: string) => {
      const imported = await addContacts(client(), id, csv);
      show(imported, common(), () => tableOf(imported));
    });
  campaigns
    .command('watch <campaign_id>')
    .description('follow a campaign to its end')
    .action(async (id: string) => {
      const campaign = await watch(client(), id, stop);
      show(campaign, common(), () => tableOf(campaign.statistics));
      if (campaign.status !== 'completed') process.exitCode = exitCodes.api;
    });
  campaigns
    .command('faults <campaign_id>')
    .description('list lines of its CSV files that were rejected')
    .action(async (id: string) => {
      const faults: unknown[] = [];
      const path = { campaign_id: id };
      const imports = items((cursor) => client().campaigns.listCampaignImports({ path, query: { cursor } }));
      for await (const { import_id: importId } of imports) {
        const where = { ...path, import_id: importId };
        const found = items((cursor) => client().campaigns.listImportFaults({ path: where, query: { cursor } }));
        for await (const fault of found) faults.push({ import_id: importId, ...fault });
      }
      show(faults, common(), () => tableOf(faults));
    });
  campaigns
    .command('reviews <campaign_id>')
    .description('list attempts that wait for a decision (parley campaigns approve or reject)')
    .action(async (id: string) => {
      const reviews: unknown[] = [];
      const asked = { path: { campaign_id: id } };
      for await (const attempt of items((cursor) =>
        client().campaigns.listCampaignAttempts({ ...asked, query: { status: 'review', cursor } }),
      ))
        reviews.push(attempt);
      show(reviews, common(), () => tableOf(reviews));
    });
  for (const decision of ['approve', 'reject'])
    addOperation(campaigns, decision, 'resolveCampaignReview', context, { body: { decision } }).description(
      `${decision} an attempt that waits for a review`,
    );
}

async function addContacts(parley: Parley, id: string, csv: string): Promise<CampaignImportRecord> {
  const body = await openAsBlob(csv).catch((error: unknown) => {
    throw new Failure('usage', error instanceof Error ? error.message : csv);
  });
  const imported = (await parley.request({
    ...{ method: 'POST', url: '/v1/campaigns/{campaign_id}/contacts', path: { campaign_id: id }, body },
    headers: { 'Content-Type': 'text/csv' },
  })) as CampaignImportRecord;
  note(
    `added ${imported.added} contact(s), skipped ${imported.duplicates} that already exist, rejected ${imported.rejected} line(s)`,
  );
  for (const { line, reason } of imported.faults) note(`  line ${line}: ${reason}`);
  return imported;
}

/** Reads the campaign until it ends, and prints its progress. */
async function watch(parley: Parley, id: string, signal: AbortSignal): Promise<CampaignRecord> {
  let said = '';
  for (;;) {
    const campaign = await parley.campaigns.getCampaign({ path: { campaign_id: id }, signal });
    const { status, statistics, waits_for: waitsFor } = campaign;
    const { contacts, completed, live } = statistics;
    const waits = waitsFor === null || status !== 'running' ? '' : `, waits for ${waitsFor}`;
    const now = `${status}: ${completed} of ${contacts} contacts, ${live} live${waits}`;
    if (now !== said) note(now);
    said = now;
    if (status === 'completed' || status === 'canceled') return campaign;
    await pause(everyMs, undefined, { signal });
  }
}
