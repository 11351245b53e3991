import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt } from 'class-validator';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import {
  Closed,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
  Secret,
} from '../rules/decorators';
import { OrganizationName } from './fields';
import { pageOf } from './page';

export const sipTransports = ['udp', 'tcp'] as const;
export type SipTransport = (typeof sipTransports)[number];

/** The codecs in the order in which a trunk offers them. */
export const sipCodecs = ['pcmu', 'pcma', 'g722'] as const;
export type SipCodec = (typeof sipCodecs)[number];

/** How calls are transferred without an announcement. */
export const coldTransferMethods = ['bridge', 'refer'] as const;
export type ColdTransferMethod = (typeof coldTransferMethods)[number];

/** A host name or an IP address, which becomes part of SIP addresses. */
const host = {
  min: 1,
  max: 253,
  pattern: /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
  description: 'a host name or an IPv4 address',
};
const username = { min: 1, max: 64, pattern: /^[\w.+~-]+$/, description: 'letters, digits and . + ~ - _' };
const password = { min: 1, max: 128, pattern: /^[\x21-\x7e]+$/, description: 'visible ASCII characters' };

const country = {
  pattern: /^[A-Z]{2}$/,
  description: 'two capital letters (ISO 3166), a country with telephone numbers',
  refusal: (code: string) => (isSupportedCountry(code) ? undefined : 'is no country with telephone numbers'),
};
const asSent = { pattern: /^as_sent$/, description: 'as_sent' };

@DescribeObject('Numbers as dialed in a country.')
@Closed()
export class NumbersOfCountry {
  @Required() @Text(country) @Example('US') @Describe('ISO 3166.') country!: string;
}

const numbersWords =
  'Which callers are numbers: `as_sent` (default) those with a plus; of a country also its national and international forms.';
const trustedWords = 'P-Asserted-Identity counts where From has no number. Default: false.';

const readOnly = ['sip_trunk_id', 'created_at', 'updated_at'] as const;

@DescribeObject('A SIP peer of numbers of the provider `sip_trunk`. `password` is write-only.')
@Rule<SipTrunkCreate>((trunk) => {
  if (trunk.username !== undefined && trunk.password === undefined) return 'username needs a password';
  return trunk.username === undefined && trunk.password !== undefined ? 'password needs a username' : undefined;
})
@Ignores(...readOnly)
export class SipTrunkCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Required()
  @Text(host)
  @Example('sip.example.com')
  @Describe('Where calls are sent; calls are accepted only from its addresses.')
  host!: string;
  @Optional() @IntWithin({ min: 1, max: 65_535 }) @Describe('Default: 5060.') port?: number;
  @Required() @IsIn(sipTransports) transport!: SipTransport;
  @Optional() @Text(username) @Describe('User name at the peer; needs a password.') username?: string;
  @Optional() @Secret() @Text(password) password?: string;
  @Required()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(sipCodecs.length)
  @ArrayUnique()
  @IsIn(sipCodecs, { each: true })
  @Example(['g722', 'pcmu'])
  @Describe('In the order in which they are offered.')
  codecs!: SipCodec[];
  @Optional()
  @IsIn(coldTransferMethods)
  @Describe('`refer`: the peer is asked to call the other party. Default: `bridge`.')
  cold_transfers?: ColdTransferMethod;
  @Optional()
  @Nested(() => NumbersOfCountry, { orText: asSent })
  @Example({ country: 'US' })
  @Describe(numbersWords)
  numbers?: 'as_sent' | NumbersOfCountry;
  @Optional() @IsBoolean() @Describe(trustedWords) trusted?: boolean;
}

@DescribeObject('Absent fields stay. Another host, port or transport needs recordings:read, and its password again.')
@Ignores(...readOnly)
export class SipTrunkUpdate extends OrganizationName {
  @Optional() @Text({ min: 1, max: limits.name.max }) name?: string;
  @Optional() @Text(host) @Example('sip.example.com') host?: string;
  @Optional() @IntWithin({ min: 1, max: 65_535 }) port?: number;
  @Optional() @IsIn(sipTransports) transport?: SipTransport;
  @Optional() @Nullable() @Text(username) @Describe('Null: without username and password.') username?: string | null;
  @Optional() @Secret() @Text(password) @Describe('For the sent or stored username.') password?: string;
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(sipCodecs.length)
  @ArrayUnique()
  @IsIn(sipCodecs, { each: true })
  @Example(['g722', 'pcmu'])
  codecs?: SipCodec[];
  @Optional() @IsIn(coldTransferMethods) @Describe('As in creation.') cold_transfers?: ColdTransferMethod;
  @Optional()
  @Nested(() => NumbersOfCountry, { orText: asSent })
  @Example('as_sent')
  @Describe('As in creation.')
  numbers?: 'as_sent' | NumbersOfCountry;
  @Optional() @IsBoolean() @Describe('As in creation.') trusted?: boolean;
}

@DescribeObject('A SIP trunk as reads show it, never with its password.')
export class SipTrunkRecord {
  @Required() @Text() sip_trunk_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() name!: string;
  @Required() @Text() host!: string;
  @Required() @IsInt() port!: number;
  @Required() @IsIn(sipTransports) transport!: SipTransport;
  @Required() @Nullable() @Text() @Describe('Null: the peer asks for none.') username!: string | null;
  @Required() @IsArray() @IsIn(sipCodecs, { each: true }) codecs!: SipCodec[];
  @Required() @IsIn(coldTransferMethods) @Describe('As in creation.') cold_transfers!: ColdTransferMethod;
  @Required()
  @Nested(() => NumbersOfCountry, { orText: asSent })
  @Example('as_sent')
  @Describe('As in creation.')
  numbers!: 'as_sent' | NumbersOfCountry;
  @Required() @IsBoolean() @Describe('As in creation.') trusted!: boolean;
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const SipTrunkPage = pageOf(SipTrunkRecord);
