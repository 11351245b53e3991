import { IsIn, IsInt } from 'class-validator';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Required } from '../rules/decorators';
import { pageOf } from './page';

@DescribeObject('A row of an upload that was left out.')
export class ContactFault {
  @Required() @IsInt() @Describe('Counted from 1 with the header; for JSON the position in the list.') line!: number;
  @Required() @Text() reason!: string;
}

export const ContactFaultPage = pageOf(ContactFault);

export const importStatuses = ['running', 'completed'] as const;

@DescribeObject('The result of an upload of contacts.')
export class CampaignImportRecord {
  @Required() @Text() import_id!: string;
  @Required() @Text() campaign_id!: string;
  @Required() @IsIn(['json', 'csv']) format!: 'json' | 'csv';
  @Required()
  @IsIn(importStatuses)
  @Describe('`running` forever if the upload broke off: send the file again, no contact is added twice.')
  status!: (typeof importStatuses)[number];
  @Required() @IsInt() @Describe('Read so far, the header and blank lines left out.') rows!: number;
  @Required() @IsInt() added!: number;
  @Required() @IsInt() @Describe('Whose number is already in the campaign.') duplicates!: number;
  @Required() @IsInt() rejected!: number;
  @Required()
  @ListOf(() => ContactFault)
  @Describe('The first 100; all of them are read on their own route.')
  faults!: ContactFault[];
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const CampaignImportPage = pageOf(CampaignImportRecord);
