import type { RouteService } from '@parley/contract';
import type { StreamName } from '@parley/outbox';
import { agentsTables, authTables, voiceStackTables } from './configuration';
import type { PersonalStore, ServiceTables } from './entry';
import { insightsTables } from './insights';
import { knowledgeTables } from './knowledge';
import { telephonyTables } from './telephony';
import { webhooksTables } from './webhooks';

const requestsWithoutKey = (of: string): PersonalStore => ({
  holds: `the network addresses, IPv6 ones cut to their /64, of ${of}`,
  byOrganization: 'not: requests without a key belong to none',
  byPerson: 'the address',
  aging: 'expires after a minute',
});

/**
 * Where the platform stores personal data: every table, stream, bucket and Redis key. The test `personal-data.int.test.ts` fails for a table, column, stream, bucket
 * or prefix of Redis keys that is not classified here; add new ones here.
 */
export const personalData: {
  readonly tables: Readonly<Record<RouteService, ServiceTables>>;
  readonly streams: Readonly<Record<StreamName, PersonalStore>>;
  readonly buckets: Readonly<Record<string, PersonalStore>>;
  /** Redis keys by the prefix of their names. */
  readonly redisKeys: Readonly<Record<string, PersonalStore>>;
} = {
  tables: {
    auth: authTables,
    agents: agentsTables,
    'voice-stack': voiceStackTables,
    knowledge: knowledgeTables,
    telephony: telephonyTables,
    webhooks: webhooksTables,
    insights: insightsTables,
  },
  streams: {
    EVENTS: {
      holds: 'events with the call, message or campaign that they are about',
      byOrganization: 'the third part of the subject',
      byPerson: 'resource_id in the JSON of the message',
      aging: 'dropped by the server 7 days after it was published',
    },
    AUDIT: {
      holds: 'audit acts, with the address and the user agent of who acted',
      byOrganization: 'the third part of the subject',
      byPerson: 'subject and detail in the JSON of the message',
      aging: 'dropped by the server 7 days after it was published',
    },
  },
  buckets: {
    RECORDINGS: {
      holds: 'the voices: parts and files of recordings, in JetStream or in a bucket of S3',
      byOrganization: 'the first part of the name of an object, <organization id>/<call id>/<part or file>',
      byPerson:
        'recording_parts and recording_files of telephony have those of each call_id; no object is without its row',
      aging:
        "erased with their call and by recordings_days of the organization's retention; parts are deleted once they are a file, and what belongs to no recording with the end of its call",
    },
  },
  redisKeys: {
    'parley:invalid-keys:': {
      holds: 'the network addresses, IPv6 ones cut to their /64, that sent unknown keys',
      byOrganization: 'not: an unknown key belongs to none',
      byPerson: 'the address',
      aging: 'expires after a minute',
    },
    'parley:carriers:': requestsWithoutKey('carriers'),
    'parley:demos:': requestsWithoutKey('visitors of demos'),
    'parley:requests:': {
      holds: 'the keys, and so their holders, and the organizations that sent requests',
      byOrganization: 'its id',
      byPerson: 'the id of the key',
      aging: 'expires with the window of the limit, after a day at the latest',
    },
    'parley:mints:': {
      holds: 'the keys, and so their holders, that minted or revoked keys',
      byOrganization: 'not: its keys are in the table api_keys',
      byPerson: 'the id of the key',
      aging: 'expires after a minute',
    },
    'parley:event-streams:': {
      holds: 'the keys, and so their holders, that have event streams open',
      byOrganization: 'not: its keys are in the table api_keys',
      byPerson: 'the id of the key',
      aging: 'expires half a minute after the last of its streams has ended',
    },
    'parley:live-audio:': {
      holds: 'the voices of a call that an operator listens to: a channel, which stores nothing',
      byOrganization: 'not: nothing is stored',
      byPerson: 'the id of the call',
      aging: 'dropped when it was sent on',
    },
  },
};
