import { CallRecord } from '../objects/call';
import {
  ControlsRecord,
  ControlsUpdate,
  ReviewResolve,
  SuppressionCreate,
  SuppressionPage,
  SuppressionRemove,
  SuppressionRemoved,
  SuppressionsAdded,
} from '../objects/controls';
import { OutboundPolicyRecord, OutboundPolicyUpdate } from '../objects/outbound-policy';
import { ListQuery } from '../objects/page';
import { LedgerPage, TopUpListQuery, TopUpPage, TopUpRecord, WalletRecord, WalletTopUp } from '../objects/wallet';
import { routesOf } from './define';

const route = routesOf('telephony');

export const walletRoutes = {
  getWallet: route('GET', '/v1/wallet', {
    summary: 'Read the wallet of an organization',
    scope: 'wallet:read',
    answer: WalletRecord,
    etag: true,
  }),
  topUpWallet: route('POST', '/v1/wallet/top-ups', {
    summary: "Top a wallet up: an operator's top-up counts immediately, a customer's when an operator confirms it",
    scope: 'wallet:write',
    body: WalletTopUp,
    answer: TopUpRecord,
    creates: true,
    newWork: false,
    // A top-up by an operator is credited at once.
    audit: ['wallet.top_up_requested', 'wallet.topped_up'],
    mcp: false,
  }),
  listTopUps: route('GET', '/v1/wallet/top-ups', {
    summary: 'List the top-ups of a wallet, newest first',
    scope: 'wallet:read',
    query: TopUpListQuery,
    answer: TopUpPage,
  }),
  confirmTopUp: route('POST', '/v1/wallet/top-ups/{top_up_id}/confirm', {
    summary: 'Confirm a pending top-up: from then on it counts',
    scope: 'operator:write',
    audience: ['operator'],
    answer: TopUpRecord,
    newWork: false,
    audit: 'wallet.topped_up',
    errors: ['ConflictError'],
    mcp: false,
  }),
  listLedger: route('GET', '/v1/wallet/ledger', {
    summary: 'List the movements of a wallet, newest first',
    scope: 'wallet:read',
    query: ListQuery,
    answer: LedgerPage,
  }),
};

export const controlRoutes = {
  getControls: route('GET', '/v1/organizations/{organization_id}/controls', {
    summary: "Read an organization's limits",
    scope: 'account:read',
    answer: ControlsRecord,
    foreign: 'organization-403',
  }),
  setControls: route('PUT', '/v1/organizations/{organization_id}/controls', {
    summary: "Replace an organization's limits",
    scope: 'operator:write',
    audience: ['operator'],
    body: ControlsUpdate,
    answer: ControlsRecord,
    newWork: false,
    audit: 'controls.changed',
    foreign: 'organization-403',
    conditional: true,
    mcp: false,
  }),
  getPolicy: route('GET', '/v1/organizations/{organization_id}/policy', {
    summary: "Read an organization's own rules of outbound policy",
    scope: 'account:read',
    answer: OutboundPolicyRecord,
    foreign: 'organization-403',
  }),
  setPolicy: route('PUT', '/v1/organizations/{organization_id}/policy', {
    summary: "Replace an organization's own rules of outbound policy",
    scope: 'operator:write',
    audience: ['operator'],
    body: OutboundPolicyUpdate,
    answer: OutboundPolicyRecord,
    newWork: false,
    audit: 'policy.changed',
    foreign: 'organization-403',
    conditional: true,
    mcp: false,
  }),
  resolveReview: route('POST', '/v1/calls/{call_id}/reviews/resolve', {
    summary: 'Approve or reject a call that waits for a review; the key that placed it does not approve it',
    scope: 'api_keys:write',
    body: ReviewResolve,
    answer: CallRecord,
    newWork: false,
    audit: ['call_review.approved', 'call_review.rejected'],
    errors: ['ConflictError', 'InsufficientBalanceError', 'SuspensionError', 'outbound_call_queue_full'],
    mcp: false,
  }),
  createSuppressions: route('POST', '/v1/suppressions', {
    summary: 'Put numbers on the suppression list',
    scope: 'calls:write',
    body: SuppressionCreate,
    answer: SuppressionsAdded,
    creates: true,
    newWork: false,
    audit: 'suppressions.added',
    mcp: false,
  }),
  listSuppressions: route('GET', '/v1/suppressions', {
    summary: 'List the suppressed numbers, by number',
    scope: 'calls:read',
    query: ListQuery,
    answer: SuppressionPage,
  }),
  removeSuppression: route('POST', '/v1/suppressions/remove', {
    summary: 'Take a number off the suppression list',
    scope: 'api_keys:write',
    body: SuppressionRemove,
    answer: SuppressionRemoved,
    newWork: false,
    audit: 'suppression.removed',
    mcp: false,
  }),
};
